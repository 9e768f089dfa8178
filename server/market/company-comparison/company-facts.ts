import sql from 'sql-template-tag'
import type { CompanySearch } from '#contract/market/company-params.ts'
import { factConditions } from '#server/market/company/company-scope.ts'
import type { CompanyMemory } from '#server/market/company/memory/company-memory.ts'
import { type CompanyColumns, dayNumber, factsOf } from '#server/market/company/memory/fact-columns.ts'
import { readFactsWhere } from '#server/market/company/memory/read-facts.ts'
import type { Db } from '#server/platform/engine/db.ts'

export type ComparisonScope = {
  readonly search: CompanySearch
  readonly organisationId: number
  /** Count only projects of the demo data (server/market/company/company-scope.ts). */
  readonly isSampleOnly?: boolean
  readonly companyIds: readonly number[]
  /** Today in Bangkok, ISO. */
  readonly today: string
}

/**
 * Facts of the compared companies as parallel columns: one index is one fact. Units as in `CompanyColumns`: satang
 * (NaN: unknown), days since 2000 or `NO_DAY`, years and provinces 0 when unknown, kinds by their number in
 * `match_values`.
 */
export type CompanyFacts = Pick<
  CompanyColumns,
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
  /** Index of the company in `companyIds`. */
  readonly place: Uint8Array
  /** Sort key with the same order as project ids. */
  readonly projectOrder: Float64Array
  readonly projectIdOf: (fact: number) => string
  readonly active: Int32Array
  /** Amounts of the contracts, satang. */
  readonly amounts: readonly Float64Array[]
  /** Fact indices of each project. With `common`, only projects with at least two of the companies. */
  readonly projects: readonly (readonly number[])[]
}

/** Reads from memory when cached, else from the database. */
export async function readCompanyFacts(
  db: Db,
  scope: ComparisonScope,
  memory: CompanyMemory | undefined,
): Promise<CompanyFacts> {
  const held = await memory?.factsOf(db, scope)
  if (held) {
    const { columns, facts, projectIdOf } = held
    const { projectKeys } = columns
    return gather(columns, facts, scope, {
      order: (project) => projectKeys[project]!,
      id: projectIdOf,
    })
  }
  const where = sql`f.company_id = any (${[...scope.companyIds]}::int[]) and ${factConditions(scope)}`
  const { columns, projectIds } = await readFactsWhere(db, where)
  const facts = scope.companyIds.map((id) => {
    const company = columns.companyIds.indexOf(id)
    return company === -1 ? new Int32Array(0) : factsOf(columns, undefined, company)
  })
  return gather(columns, facts, scope, { order: (project) => project, id: (project) => projectIds[project]! })
}

type Project = { readonly order: (project: number) => number; readonly id: (project: number) => string }

function gather(
  columns: CompanyColumns,
  byPlace: readonly Int32Array[],
  { search, today }: ComparisonScope,
  { order, id }: Project,
): CompanyFacts {
  const size = byPlace.reduce((sum, own) => sum + own.length, 0)
  const [facts, placeOf] = [new Int32Array(size), new Uint8Array(size)]
  let begun = 0
  for (const [place, own] of byPlace.entries()) {
    facts.set(own, begun)
    placeOf.fill(place, begun, begun + own.length)
    begun += own.length
  }
  const of = <A extends Column>(column: A): A => {
    const picked = new (column.constructor as new (length: number) => A)(size)
    for (let at = 0; at < size; at += 1) picked[at] = column[facts[at]!]!
    return picked
  }
  const project = of(columns.project)
  const byProject = [...Map.groupBy(project.keys(), (at) => project[at]!).values()]
  const { amounts, amountStarts, untils, untilStarts } = columns
  const firstOpen = dayNumber(today)
  return {
    size,
    place: placeOf,
    projectOrder: Float64Array.from(project, order),
    projectIdOf: (fact) => id(project[fact]!),
    active: Int32Array.from(
      facts,
      (fact) => untils.subarray(untilStarts[fact], untilStarts[fact + 1]).filter((day) => day >= firstOpen).length,
    ),
    amounts: Array.from(facts, (fact) => amounts.subarray(amountStarts[fact], amountStarts[fact + 1])),
    projects: search.common ? byProject.filter(({ length }) => length > 1) : byProject,
    department: of(columns.department),
    year: of(columns.year),
    province: of(columns.province),
    method: of(columns.method),
    methodType: of(columns.methodType),
    criteria: of(columns.criteria),
    flags: of(columns.flags),
    value: of(columns.value),
    base: of(columns.base),
    bid: of(columns.bid),
    reference: of(columns.reference),
    decidedOn: of(columns.decidedOn),
    day: of(columns.day),
  }
}

type Column = Int32Array | Int16Array | Uint8Array | Float64Array

/** Compares two facts: later days first, no day last, then by project and company. */
export function newestFirst({ day, projectOrder, place }: CompanyFacts, a: number, b: number): number {
  return day[b]! - day[a]! || projectOrder[a]! - projectOrder[b]! || place[a]! - place[b]!
}
