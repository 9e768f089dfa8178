import sql from 'sql-template-tag'
import type { CompanySearch } from '#contract/market/company-params.ts'
import { companyFactConditions } from '#server/market/company/company-scope.ts'
import type { CompanyFactCache } from '#server/market/company/memory/company-fact-cache.ts'
import { type CompanyFactColumns, getCompanyFactIndexes } from '#server/market/company/memory/company-fact-columns.ts'
import { loadCompanyFactsWhere } from '#server/market/company/memory/load-all-company-facts.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { toDayNumber } from '#server/platform/text/day-number.ts'

export type CompanyComparisonScope = {
  readonly search: CompanySearch
  readonly organisationId: number
  readonly companyIds: readonly number[]
  readonly today: string
}

/**
 * Facts of the compared companies as parallel columns, indexed by fact. Units as in `CompanyFactColumns`: satang (NaN:
 * unknown), days since 2000 or `MISSING_DAY_NUMBER`, years and provinces 0 when unknown, kinds by their number in `match_values`.
 */
export type CompanyFacts = Pick<
  CompanyFactColumns,
  | 'size'
  | 'department'
  | 'year'
  | 'province'
  | 'method'
  | 'methodType'
  | 'criteria'
  | 'flags'
  | 'value'
  | 'base'
  | 'bid'
  | 'reference'
  | 'decidedOn'
  | 'day'
> & {
  readonly companyIndex: Uint8Array
  readonly projectOrder: Float64Array
  readonly projectIdOf: (fact: number) => string
  readonly active: Int32Array
  readonly amounts: readonly Float64Array[]
  /** Indices of the facts of each project. With `search.common`, only projects with at least two of the companies. */
  readonly projects: readonly (readonly number[])[]
}

export async function readCompanyFacts(
  db: Db,
  scope: CompanyComparisonScope,
  memory: CompanyFactCache | undefined,
): Promise<CompanyFacts> {
  const cached = await memory?.factsOf(db, scope)
  if (!cached) return await loadCompanyFacts(db, scope)
  const { columns, facts, projectIdOf } = cached
  return gatherFacts(columns, facts, scope, { order: (project) => columns.projectKeys[project]!, id: projectIdOf })
}

async function loadCompanyFacts(db: Db, scope: CompanyComparisonScope): Promise<CompanyFacts> {
  const condition = sql`f.company_id = any (${[...scope.companyIds]}::int[]) and ${companyFactConditions(scope)}`
  const { columns, projectIds } = await loadCompanyFactsWhere(db, condition)
  const facts = scope.companyIds.map((id) => {
    const company = columns.companyIds.indexOf(id)
    return company === -1 ? new Int32Array(0) : getCompanyFactIndexes(columns, undefined, company)
  })
  return gatherFacts(columns, facts, scope, { order: (project) => project, id: (project) => projectIds[project]! })
}

type ProjectAccess = { readonly order: (project: number) => number; readonly id: (project: number) => string }

function gatherFacts(
  columns: CompanyFactColumns,
  factsByCompany: readonly Int32Array[],
  { search, today }: CompanyComparisonScope,
  { order, id }: ProjectAccess,
): CompanyFacts {
  const size = factsByCompany.reduce((sum, companyFacts) => sum + companyFacts.length, 0)
  const [facts, companyIndex] = [new Int32Array(size), new Uint8Array(size)]
  let offset = 0
  for (const [index, companyFacts] of factsByCompany.entries()) {
    facts.set(companyFacts, offset)
    companyIndex.fill(index, offset, offset + companyFacts.length)
    offset += companyFacts.length
  }
  const gatherColumn = <A extends Column>(column: A): A => {
    const picked = new (column.constructor as new (length: number) => A)(size)
    for (let at = 0; at < size; at += 1) picked[at] = column[facts[at]!]!
    return picked
  }
  const project = gatherColumn(columns.project)
  const byProject = [...Map.groupBy(project.keys(), (at) => project[at]!).values()]
  const { amounts, amountStarts, untils, untilStarts } = columns
  const firstOpen = toDayNumber(today)
  return {
    size,
    companyIndex,
    projectOrder: Float64Array.from(project, order),
    projectIdOf: (fact) => id(project[fact]!),
    active: Int32Array.from(
      facts,
      (fact) => untils.subarray(untilStarts[fact], untilStarts[fact + 1]).filter((day) => day >= firstOpen).length,
    ),
    amounts: Array.from(facts, (fact) => amounts.subarray(amountStarts[fact], amountStarts[fact + 1])),
    projects: search.common ? byProject.filter(({ length }) => length > 1) : byProject,
    department: gatherColumn(columns.department),
    year: gatherColumn(columns.year),
    province: gatherColumn(columns.province),
    method: gatherColumn(columns.method),
    methodType: gatherColumn(columns.methodType),
    criteria: gatherColumn(columns.criteria),
    flags: gatherColumn(columns.flags),
    value: gatherColumn(columns.value),
    base: gatherColumn(columns.base),
    bid: gatherColumn(columns.bid),
    reference: gatherColumn(columns.reference),
    decidedOn: gatherColumn(columns.decidedOn),
    day: gatherColumn(columns.day),
  }
}

type Column = Int32Array | Int16Array | Uint8Array | Float64Array

export function compareCompanyFactsNewestFirst(
  { day, projectOrder, companyIndex }: CompanyFacts,
  a: number,
  b: number,
): number {
  return day[b]! - day[a]! || projectOrder[a]! - projectOrder[b]! || companyIndex[a]! - companyIndex[b]!
}
