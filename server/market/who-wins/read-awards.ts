import sql, { join, type Sql } from 'sql-template-tag'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { loadCompanyFiguresTime } from '#server/market/company/company-scope.ts'
import { loadCompanyFactsWhere } from '#server/market/company/memory/load-all-company-facts.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { purchasingUnitsWithAgencySql } from '#server/platform/text/agency-sql.ts'
import { reportMatchesFromClauseSql } from '#server/report/deep/semantic-search-hits.ts'
import {
  buildReportFilterConditions,
  joinFilterConditions,
  removeSemanticSearchCondition,
} from '#server/report/filter/report-filters.ts'
import { hiddenProjectIdsSql } from '#server/report/match-sql.ts'
import { resolveReportSearchScope } from '#server/report/resolve-report-search-scope.ts'
import type { AwardSet, PurchaseFilter, SearchAwardSet, WhoWinsScope } from './award-set.ts'
import { findMarketProjects, rejectOversizedProjectScan } from './find-in-market.ts'
import { readSpending } from './read-spending.ts'

/**
 * Reads the awards of a search by SQL. Used when the in-process cache cannot answer, for the demo if the installation
 * also has real projects, and for semantic searches.
 */
export async function readAwards(db: Db, search: ReportSearch, scope: WhoWinsScope): Promise<SearchAwardSet> {
  const projectIdsSql = scope.isMarket
    ? sql`select u.id as project_id from unnest(${await findMarketProjects(db, search, scope)}::text[]) u (id)`
    : await matchingProjectsSql(db, search, scope)
  return await db.transaction(
    async (tx) => {
      const ids = (await loadIds(tx, projectIdsSql)).sort()
      rejectOversizedProjectScan(ids.length)
      const set = new Set(ids)
      const ofSearch = {
        found: ids.length,
        matchedOrders: () => Float64Array.from(ids.keys()),
        isMatched: (id: string) => set.has(id),
      }
      return { ...(await readAwardSet(tx, ids)), ...ofSearch }
    },
    { readOnly: true },
  )
}

export async function readPurchaseAwards(db: Db, purchases: PurchaseFilter, scope: WhoWinsScope): Promise<AwardSet> {
  const bought = sql`select p.project_id from projects p where ${purchaseFilterCondition(purchases, scope)}`
  return await db.transaction(async (tx) => readAwardSet(tx, (await loadIds(tx, bought)).sort()), {
    readOnly: true,
  })
}

/**
 * SQL condition: project `p` is in the organisation's report and not hidden by the user. `offset 0` forces an index
 * lookup per project; without it the planner reads all matches (656,223 in a large organisation) to find those of one
 * agency.
 */
export const visibleInReportCondition = ({
  organisationId,
  userId,
}: Pick<WhoWinsScope, 'organisationId' | 'userId'>): Sql => sql`exists (
    select from project_matches m where m.organisation_id = ${organisationId}::int and m.project_id = p.project_id offset 0)
  and p.project_id not in (${hiddenProjectIdsSql(userId)})`

export function purchaseFilterCondition({ units, yearFrom, yearTo }: PurchaseFilter, scope: WhoWinsScope): Sql {
  const { isMarket } = scope
  const conditions = [
    sql`p.department_id = any (${[...units]}::int[])`,
    yearFrom !== undefined && sql`p.fiscal_year >= ${yearFrom}::int`,
    yearTo !== undefined && sql`p.fiscal_year <= ${yearTo}::int`,
    !isMarket && visibleInReportCondition(scope),
  ].filter((condition) => typeof condition === 'object')
  return join(conditions, ' and ')
}

/** SQL that selects the matching projects. Includes archived projects, unless the search filters for them. */
async function matchingProjectsSql(db: Db, search: ReportSearch, winScope: WhoWinsScope): Promise<Sql> {
  const scope = { ...winScope, ...(await resolveReportSearchScope(db, [search], winScope)) }
  const filters = joinFilterConditions(removeSemanticSearchCondition(buildReportFilterConditions(search, scope)))
  const hidden = search.project_hidden ? sql`true` : sql`m.project_id not in (${hiddenProjectIdsSql(scope.userId)})`
  const tab = search.is_archived ? sql`m.is_archived` : sql`true`
  return sql`select m.project_id from ${reportMatchesFromClauseSql(search, scope)}
    where m.organisation_id = ${scope.organisationId}::int and ${tab} and ${hidden} and ${filters}`
}

async function loadIds(db: Db, projectIdsSql: Sql): Promise<string[]> {
  const [row] = await db.query<{ ids: string | null }>(
    sql`select string_agg(f.project_id, ',') as ids from (${projectIdsSql}) f`,
  )
  return row!.ids?.split(',') ?? []
}

/** Reads the awards of these projects. `ids` must be sorted. */
async function readAwardSet(db: Db, ids: readonly string[]): Promise<AwardSet> {
  const among = sql`any (${[...ids]}::text[])`
  const { columns, projectIds } = await loadCompanyFactsWhere(db, sql`f.project_id = ${among}`)
  const spending = await readSpending(
    db,
    sql`select x.* from project_spending x where x.project_id = ${among} order by x.project_id`,
  )
  const indexById = new Map(ids.map((id, index) => [id, index]))
  const orders = Int32Array.from(projectIds, (id) => indexById.get(id)!)
  const agencyOf = await loadAgencyNumbers(db, [...new Set([...columns.department, ...spending.department])])
  return {
    columns,
    facts: Int32Array.from({ length: columns.size }, (_, at) => at),
    projectCount: projectIds.length,
    spending,
    decided: Int32Array.from({ length: spending.size }, (_, at) => at),
    agencyOf,
    agencyCount: agencyOf.reduce((maxNumber, number) => Math.max(maxNumber, number), 0) + 1,
    orderOfFact: (fact) => orders[columns.project[fact]!]!,
    idOfOrder: (order) => ids[order]!,
    orderOfId: (id) => indexById.get(id),
    idOfSpending: (row) => spending.ids[row]!,
    computedAt: await loadCompanyFiguresTime(db),
  }
}

async function loadAgencyNumbers(db: Db, units: readonly number[]): Promise<Int32Array> {
  const rows = await db.query<{ id: number; place: number }>(sql`
    select d.id, (dense_rank() over (order by d.agency collate "C"))::int as place
    from ${purchasingUnitsWithAgencySql(sql`unit.id = any (${[...units]}::int[])`)} d where d.id = any (${[...units]}::int[])`)
  const numbers = new Int32Array(units.reduce((maxId, id) => Math.max(maxId, id), 0) + 1)
  for (const { id, place } of rows) numbers[id] = place
  return numbers
}
