import sql, { type Sql } from 'sql-template-tag'
import type { ReportSortField } from '#contract/report/report-columns.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'

/** What each sort field sorts by; a field that stands here is all that `ordering` can reach. */
const SORT_SQL = {
  project_budget: sql`m.budget_satang`,
  project_estimate_budget: sql`m.estimate_satang`,
  project_winner_budget: sql`m.winner_satang`,
  draft_published_date: sql`m.draft_published_on`,
  draft_discussion_end_date: sql`m.draft_discussion_ends_on`,
  bidding_invite_date: sql`m.bidding_invited_on`,
  submission_end_date: sql`m.submission_ends_on`,
} satisfies Record<ReportSortField, Sql>

/**
 * `order by` list for the `ordering` parameter, such as `-project_budget`; absent = newest movement first, of a search by meaning the
 * closest first (`deep_score` of `matchesOf`) and of equally close ones the newest.
 * Unknown values stand last both ways, and the project id makes the order total, so that pages neither skip nor repeat.
 */
export function orderSql({ ordering, ai_deep_search__in: meant }: ReportSearch): Sql {
  const newest = sql`m.movement_on desc nulls last, m.project_id`
  if (ordering === undefined) return meant ? sql`m.deep_score desc, ${newest}` : newest
  const descending = ordering.startsWith('-')
  const column = SORT_SQL[(descending ? ordering.slice(1) : ordering) as ReportSortField]
  return descending ? sql`${column} desc nulls last, m.project_id` : sql`${column} asc nulls last, m.project_id`
}
