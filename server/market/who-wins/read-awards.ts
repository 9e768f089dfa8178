import sql, { join, type Sql } from 'sql-template-tag'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { isOfSample } from '#server/account/demo/sample-only.ts'
import { loadComputedAt } from '#server/market/company/company-scope.ts'
import { readFactsWhere } from '#server/market/company/memory/read-facts.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { agenciesSql } from '#server/platform/text/agency-sql.ts'
import { matchesOf } from '#server/report/deep/deep-hits.ts'
import { allOf, conditionsOfMatches, filterConditions, hiddenOf } from '#server/report/filter-sql.ts'
import { withFound } from '#server/report/with-found.ts'
import type { Awarded, Awards, Purchases, WinScope } from './awards.ts'
import { findInMarket, refuseMany } from './plain-market.ts'
import { readSpending } from './read-spending.ts'

/**
 * Reads the awards of a search by SQL: without the memory, for the demo alongside real projects, and for semantic
 * searches.
 */
export async function readAwards(db: Db, search: ReportSearch, scope: WinScope): Promise<Awards> {
  const found = scope.isMarket
    ? sql`select u.id as project_id from unnest(${await findInMarket(db, search, scope)}::text[]) u (id)`
    : await passingSql(db, search, scope)
  return await db.transaction(
    async (tx) => {
      const ids = (await idsOf(tx, found)).sort()
      refuseMany(ids.length)
      const set = new Set(ids)
      const ofSearch = { found: ids.length, foundOrders: () => ids.keys(), isFound: (id: string) => set.has(id) }
      return { ...(await readAwarded(tx, ids)), ...ofSearch }
    },
    { readOnly: true },
  )
}

export async function readPurchases(db: Db, purchases: Purchases, scope: WinScope): Promise<Awarded> {
  const bought = sql`select p.project_id from projects p where ${isBought(purchases, scope)}`
  return await db.transaction(async (tx) => readAwarded(tx, (await idsOf(tx, bought)).sort()), {
    readOnly: true,
  })
}

/**
 * Condition: the project (alias `p`) is in the organisation's report and not hidden by the user. Without `offset 0`,
 * which forces an index lookup per project, the planner reads all matches (656,223 in a large organisation) to find
 * those of one agency.
 */
export const isInReport = ({ organisationId, userId }: Pick<WinScope, 'organisationId' | 'userId'>): Sql => sql`exists (
    select from project_matches m where m.organisation_id = ${organisationId}::int and m.project_id = p.project_id offset 0)
  and p.project_id not in (${hiddenOf(userId)})`

/**
 * Condition: the project (alias `p`) is one of these purchases and, unless the scope is the market, in the
 * organisation's report.
 */
export function isBought({ units, yearFrom, yearTo }: Purchases, scope: WinScope): Sql {
  const { isMarket, isSampleOnly } = scope
  const conditions = [
    sql`p.department_id = any (${[...units]}::int[])`,
    yearFrom !== undefined && sql`p.fiscal_year >= ${yearFrom}::int`,
    yearTo !== undefined && sql`p.fiscal_year <= ${yearTo}::int`,
    isSampleOnly && isOfSample(sql`p.project_id`),
    !isMarket && isInReport(scope),
  ].filter((condition) => typeof condition === 'object')
  return join(conditions, ' and ')
}

/** Includes archived projects, unless the search filters for them. */
async function passingSql(db: Db, search: ReportSearch, asked: WinScope): Promise<Sql> {
  const scope = { ...asked, ...(await withFound(db, [search], asked)) }
  const filters = allOf(conditionsOfMatches(filterConditions(search, scope)))
  const hidden = search.project_hidden ? sql`true` : sql`m.project_id not in (${hiddenOf(scope.userId)})`
  const tab = search.is_archived ? sql`m.is_archived` : sql`true`
  return sql`select m.project_id from ${matchesOf(search, scope)}
    where m.organisation_id = ${scope.organisationId}::int and ${tab} and ${hidden} and ${filters}`
}

async function idsOf(db: Db, found: Sql): Promise<string[]> {
  const [row] = await db.query<{ ids: string | null }>(
    sql`select string_agg(f.project_id, ',') as ids from (${found}) f`,
  )
  return row!.ids?.split(',') ?? []
}

/** `ids` must be sorted. */
async function readAwarded(db: Db, ids: readonly string[]): Promise<Awarded> {
  const among = sql`any (${[...ids]}::text[])`
  const { columns, projectIds } = await readFactsWhere(db, sql`f.project_id = ${among}`)
  const spending = await readSpending(
    db,
    sql`select x.* from project_spending x where x.project_id = ${among} order by x.project_id`,
  )
  const places = new Map(ids.map((id, place) => [id, place]))
  const orders = Int32Array.from(projectIds, (id) => places.get(id)!)
  const agencyOf = await readAgencies(db, [...new Set([...columns.department, ...spending.department])])
  return {
    columns,
    facts: Int32Array.from({ length: columns.size }, (_, at) => at),
    projectCount: projectIds.length,
    spending,
    decided: Int32Array.from({ length: spending.size }, (_, at) => at),
    agencyOf,
    agencyCount: agencyOf.reduce((most, number) => Math.max(most, number), 0) + 1,
    orderOfFact: (fact) => orders[columns.project[fact]!]!,
    idOfOrder: (order) => ids[order]!,
    idOfSpending: (place) => spending.ids[place]!,
    computedAt: await loadComputedAt(db),
  }
}

/** Returns agency numbers by unit id, in name order. */
async function readAgencies(db: Db, units: readonly number[]): Promise<Int32Array> {
  const rows = await db.query<{ id: number; place: number }>(sql`
    select d.id, (dense_rank() over (order by d.agency collate "C"))::int as place
    from ${agenciesSql(sql`unit.id = any (${[...units]}::int[])`)} d where d.id = any (${[...units]}::int[])`)
  const places = new Int32Array(units.reduce((most, id) => Math.max(most, id), 0) + 1)
  for (const { id, place } of rows) places[id] = place
  return places
}
