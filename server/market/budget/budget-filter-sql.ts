import sql, { empty, join, type Sql } from 'sql-template-tag'
import { BUDGET_LEVELS, type BudgetLevel, MIN_CERTAIN_BUDGET_LINK_CONFIDENCE } from '#contract/market/budget.ts'
import type { BudgetSearch } from '#contract/market/budget-params.ts'
import { parseSearchExpression } from '#contract/search/search-grammar.ts'
import { searchConditionSql } from '#server/platform/text/search-sql.ts'

/** States by their number in the database, ordered by progress. */
export const BUDGET_STATE_CODES = ['none', 'cancelled', 'draft', 'invited', 'awarded'] as const

/** State of project `p`, as an index into `BUDGET_STATE_CODES`. */
export const BUDGET_PROJECT_STATE_SQL: Sql = sql`(case
  when p.status in ('project_cancelled', 'invitation_cancelled') then 1
  when p.status = 'contract_created' or p.winner_name is not null or p.movement in ('winner_announced', 'winner_amended', 'contract_created') then 4
  when p.bidding_invited_on is not null or p.movement in ('invited', 'invitation_amended', 'bids_closed', 'winner_cancelled') then 3
  else 2 end)::smallint`

export const IS_CERTAIN_BUDGET_LINK_SQL: Sql = sql`l.confidence >= ${MIN_CERTAIN_BUDGET_LINK_CONFIDENCE}::real`
export const IS_GUESSED_BUDGET_LINK_SQL: Sql = sql`(l.confidence > 0 and l.confidence < ${MIN_CERTAIN_BUDGET_LINK_CONFIDENCE}::real)`
/**
 * SQL condition: the link applies to the organisation, because the organisation confirmed it or did not decide and the
 * link is sure. The columns of the decision `d` are null if there is none.
 */
export const IS_EFFECTIVE_BUDGET_LINK_SQL: Sql = sql`coalesce(d.decision = 'confirmed', ${IS_CERTAIN_BUDGET_LINK_SQL})`

const PATH_LEVELS = BUDGET_LEVELS.filter((level): level is Exclude<BudgetLevel, 'item'> => level !== 'item')
const PATH_COLUMNS = {
  ministry: sql`i.ministry`,
  unit: sql`i.unit`,
  plan: sql`i.plan`,
  project: sql`i.project`,
} as const

export type BudgetPathStep = { readonly level: keyof typeof PATH_COLUMNS; readonly name: string }

function getFilteredBudgetPath(search: BudgetSearch): BudgetPathStep[] {
  const end = PATH_LEVELS.findIndex((level) => search[level] === undefined)
  return PATH_LEVELS.slice(0, end === -1 ? PATH_LEVELS.length : end).map((level) => ({ level, name: search[level]! }))
}

export function budgetPathConditions(search: BudgetSearch): Sql[] {
  return getFilteredBudgetPath(search).map(
    ({ level, name }) => sql`${PATH_COLUMNS[level]} = (select n.id from budget_names n where n.name = ${name}::text)`,
  )
}

export function getBudgetBreakdownLevel(search: BudgetSearch): BudgetLevel {
  return BUDGET_LEVELS[getFilteredBudgetPath(search).length]!
}

export function budgetLevelColumnSql(level: BudgetLevel): Sql | undefined {
  return level === 'item' ? undefined : PATH_COLUMNS[level]
}

export type OmittedBudgetFilter = 'state' | 'keyword'

/**
 * CTE `own`: items that the organisation decided about, with their state for that organisation. Queries that use
 * `matchingBudgetItemsSql` must start with this CTE.
 */
export function decidedBudgetItemStatesSql(organisationId: number): Sql {
  return sql`own as materialized (
    select l.item_id, coalesce(max(l.state) filter (where ${IS_EFFECTIVE_BUDGET_LINK_SQL}), 0)::smallint as state, (count(*) filter (where ${IS_EFFECTIVE_BUDGET_LINK_SQL}))::int as links,
      (count(*) filter (where d.decision is null and ${IS_GUESSED_BUDGET_LINK_SQL}))::int as guesses
    from (select distinct item_id from budget_link_decisions where organisation_id = ${organisationId}::int) decided
    join budget_links l on l.item_id = decided.item_id
    left join budget_link_decisions d on d.organisation_id = ${organisationId}::int and d.item_id = l.item_id and d.project_id = l.project_id
    group by l.item_id
  )`
}

export const BUDGET_ITEM_STATE_SQL: Sql = sql`coalesce(own.state, i.state)`

const idsOf = (names: readonly string[]) =>
  sql`array(select n.id from budget_names n where n.name = any (${[...names]}::text[]))`
const satang = (baht: number) => sql`${Math.round(baht * 100)}::bigint`

export type BudgetItemScope = {
  readonly organisationId: number
  readonly years: readonly number[]
  /** Ids of the items that match the text search, by fiscal year. If undefined, the query itself searches the texts. */
  readonly hits?: BudgetHits | undefined
}

export type BudgetHits = ReadonlyMap<number, readonly number[]>

type FoundItemsOptions = {
  readonly without?: readonly OmittedBudgetFilter[]
  readonly texts?: boolean
  readonly matches?: boolean
}

/**
 * Returns `from … where …` of the matching items: `i` the item, `own` its state for the organisation, `t` its texts
 * (only with `texts`), `m` the organisation's keyword matches (only with `matches`, which also drops items without a
 * match).
 */
export function matchingBudgetItemsSql(
  search: BudgetSearch,
  { organisationId, years, hits }: BudgetItemScope,
  { without = [], texts = false, matches = false }: FoundItemsOptions = {},
): Sql {
  const isMatched = search.scope !== 'all'
  const keywords = without.includes('keyword') ? undefined : search.keyword__in
  const searched = hits ? undefined : budgetTextSearchCondition(search)
  const conditions = [
    sql`i.fiscal_year = any (${[...years]}::smallint[])`,
    ...budgetPathConditions(search),
    ...(search.category ? [sql`i.categories && ${idsOf(search.category)}`] : []),
    ...amountConditions(search),
    ...(search.state && !without.includes('state')
      ? [sql`${BUDGET_ITEM_STATE_SQL} = any (${toBudgetStateNumbers(search.state)}::smallint[])`]
      : []),
    ...(isMatched ? [sql`m.excluded_by is null`] : []),
    ...(keywords ? [sql`m.keywords && ${keywordIds(organisationId, keywords)}`] : []),
    ...(hits ? [sql`i.id = any (${years.flatMap((year) => hits.get(year) ?? [])}::int[])`] : []),
    ...(searched ? [searched] : []),
  ]
  return sql`
    from budget_items i
    ${isMatched || keywords || matches ? sql`join budget_matches m on m.organisation_id = ${organisationId}::int and m.item_id = i.id` : empty}
    left join own on own.item_id = i.id
    ${texts || searched ? sql`join budget_item_texts t on t.item_id = i.id` : empty}
    where ${join(conditions, ' and ')}`
}

export function budgetTextSearchCondition({ q }: BudgetSearch): Sql | undefined {
  const parsed = q === undefined ? undefined : parseSearchExpression(q)
  if (!parsed?.ok) return undefined
  return searchConditionSql(parsed.node, {
    compact: sql`t.search_compact`,
    spaced: sql`t.search_spaced`,
    scanned: true,
  })
}

const keywordIds = (organisationId: number, words: readonly string[]) => sql`array(
  select k.id from keywords k where k.organisation_id = ${organisationId}::int and k.word = any (${[...words]}::text[])
)`

function amountConditions({ amount__range: range }: BudgetSearch): Sql[] {
  if (!range) return []
  return [
    ...(range.min === null ? [] : [sql`i.amount_satang >= ${satang(range.min)}`]),
    ...(range.max === null ? [] : [sql`i.amount_satang <= ${satang(range.max)}`]),
  ]
}

export function toBudgetStateNumbers(codes: readonly string[]): number[] {
  return codes.map((code) => (BUDGET_STATE_CODES as readonly string[]).indexOf(code)).filter((number) => number >= 0)
}
