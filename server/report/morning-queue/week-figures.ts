import sql from 'sql-template-tag'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { addDays } from '#contract/thai/thai-date.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { getMondayOfWeek } from '#contract/thai/working-day.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { findProjectsPassingSearches } from '#server/report/report-lists.ts'
import type { ReportEngine, ReportScope } from '#server/report/report-queries.ts'

/**
 * Figures of the whole report for Monday's mail and messages. `isNew`: New in the loads of the last seven days;
 * `closing`: open projects whose bids end by Sunday; `bidding`: those of them that the team decided to bid on.
 */
export type WeekFigures = { readonly isNew: number; readonly closing: number; readonly bidding: number }

const WEEK_MS = 7 * 86_400_000

export async function findWeekFigures(
  db: Db,
  reports: ReportEngine,
  scope: ReportScope,
  now: Date,
): Promise<WeekFigures> {
  const closing = getWeekClosingSearch(scope.today)
  const startedAt = new Date(now.getTime() - WEEK_MS).toISOString()
  const visit = { endedAt: startedAt, loads: await findLoadsSince(db, startedAt) }
  const { new: isNew } = await reports.figures([{ project_since_visit: true }], {
    ...scope,
    visit,
  })
  const { lists } = await reports.ids([closing], scope, { limit: 0 })
  const [bidding] = await findProjectsPassingSearches(reports, [closing], scope, await findBidProjectIds(db, scope))
  return { isNew, closing: lists[0]!.total, bidding: bidding!.length }
}

export function getWeekClosingSearch(today: string): ReportSearch {
  const monday = getMondayOfWeek(today)
  return {
    project_bidding__in: { values: ['open'], negated: false },
    submission_end_date__range: { from: monday, to: addDays(monday, 6) },
  }
}

/** Formats e.g. `สัปดาห์นี้: ใหม่ 41 · ปิด 12 · คุณยื่น 2`; undefined if there is nothing to report. */
export function formatWeekFigures({ isNew, closing, bidding }: WeekFigures): string | undefined {
  if (isNew + closing === 0) return undefined
  return `สัปดาห์นี้: ใหม่ ${formatCount(isNew)} · ปิด ${formatCount(closing)} · คุณยื่น ${formatCount(bidding)}`
}

async function findLoadsSince(db: Db, startedAt: string): Promise<number[]> {
  const rows = await db.query<{ id: number }>(sql`
    select l.id from loads l
    where l.state = 'published' and not l.is_history and l.published_at > ${startedAt}::timestamptz order by l.id`)
  return rows.map(({ id }) => id)
}

async function findBidProjectIds(db: Db, { organisationId, today }: ReportScope): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select c.project_id as id from pursuits c join projects p on p.project_id = c.project_id
    where c.organisation_id = ${organisationId}::int and c.decision = 'bid' and p.submission_ends_on >= ${today}::date
    order by c.project_id`)
  return rows.map(({ id }) => id)
}
