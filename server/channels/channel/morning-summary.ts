import sql from 'sql-template-tag'
import type { NotificationChannel } from '#contract/channels/channel.ts'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import { getMondayOfWeek } from '#contract/thai/working-day.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { ReportMailDependencies } from '#server/report/mail/compose-report-mail.ts'
import { findReportMailMatches } from '#server/report/mail/find-report-mail-matches.ts'
import { groupIntoMailSections } from '#server/report/mail/mail-sections.ts'
import {
  buildProjectListPaths,
  getMorningQueuePath,
  getReportMailFilters,
} from '#server/report/mail/report-mail-filters.ts'
import { formatWeekFigures } from '#server/report/morning-queue/week-figures.ts'
import type { MorningSummary } from './channel-sender.ts'
import { findChannelMessageProjects } from './message-content-queries.ts'

type SummaryTarget = {
  readonly userId: number
  readonly organisationId: number
  readonly channel: NotificationChannel
  readonly filters: readonly string[] | null
}

const MAX_PROJECTS = 3
/** After the first import, every project is new. */
const MAX_CHECKED_PROJECTS = 200
/**
 * Filters are only evaluated here, not described to the user, so names of stages, members and labels are not needed.
 */
const NO_TEAM = { stages: [], members: [], labels: [] }

/**
 * Returns the loads since the last summary sent to the user in this channel, or those of the last day if none was sent
 * yet.
 */
async function findLoadsSinceSummary(db: Db, { userId, channel }: SummaryTarget, now: Date): Promise<number[]> {
  const at = sql`${now.toISOString()}::timestamptz`
  const rows = await db.query<{ id: number }>(sql`
    select l.id from loads l
    where l.published_at <= ${at} and l.published_at > greatest(${at} - interval '7 days', coalesce(
      (select max(m.settled_at) from channel_messages m
        where m.user_id = ${userId}::int and m.channel = ${channel} and m.kind = 'Morning' and m.state in ('sent', 'dropped')),
      ${at} - interval '1 day'))
    order by l.id`)
  return rows.map(({ id }) => id)
}

async function loadChosenFilters(db: Db, { userId, filters }: SummaryTarget) {
  if (filters === null) return getReportMailFilters({ filters: [], labels: [], team: NO_TEAM }).filters
  const rows = await db.query<{ id: string; name: string; filterData: unknown }>(sql`
    select f.id, f.name, f.filter_data as "filterData" from saved_filters f
    where f.user_id = ${userId}::int and f.id = any (${[...filters]}::text[]) order by f.created_at, f.id`)
  if (rows.length === 0) return []
  return getReportMailFilters({ filters: rows, labels: [], team: NO_TEAM }).filters
}

/**
 * Lists the nearest deadlines and the new projects since the last summary, of the whole report or the selected filters,
 * with the figures of the morning queue and on Mondays those of the week. Excludes hidden projects. Undefined if there
 * is nothing to report.
 */
export async function buildMorningSummary(
  db: Db,
  reader: ReportMailDependencies['reader'],
  of: SummaryTarget,
  now: Date,
): Promise<MorningSummary | undefined> {
  const { organisationId, userId } = of
  const today = getBangkokToday(now)
  const filters = await loadChosenFilters(db, of)
  if (filters.length === 0) return undefined
  const visit = await reader.previousVisit(db, userId, now)
  const searches = filters.map(({ search }) => search)
  const scope = { organisationId, userId, today, visit }
  const { projects: found, unlisted } = await findReportMailMatches(db, reader, {
    searches,
    scope,
    loadIds: await findLoadsSinceSummary(db, of, now),
    now,
  })
  const sections = groupIntoMailSections(found, true, unlisted.active + unlisted.archived)
  const idsOf = (name: string) => sections.find((section) => section.name === name)?.ids ?? []
  const [closing, comment] = [idsOf('closing'), idsOf('comment')]
  const allIds = [...closing, ...comment, ...idsOf('new')]
  if (allIds.length === 0) return undefined
  const projects = await findChannelMessageProjects(
    db,
    { userId, organisationId },
    allIds.slice(0, MAX_CHECKED_PROJECTS),
    today,
  )
  // A new project may already be awarded or cancelled; the count includes it, but a card would ask for action.
  const shownIds = allIds.filter((id) => projects.get(id)?.isActionable ?? false).slice(0, MAX_PROJECTS)
  return {
    day: today,
    figures: await reader.reportsOf(db).figures(searches, scope),
    week: getMondayOfWeek(today) === today ? formatWeekFigures(await reader.weekFigures(db, scope, now)) : undefined,
    projects: shownIds.flatMap((id) => {
      const project = projects.get(id)
      const candidate = found.find((row) => row.id === id)!
      if (!project) return []
      const { is_new: isNew, due, closes_on: closesOn, closes_at: closesAt } = candidate
      return [{ ...project, isNew, due, closesOn, closesAt }]
    }),
    // The queue has one filter, so several filters open the list of their projects.
    path:
      filters.length === 1
        ? getMorningQueuePath(filters[0]!)
        : ((unlisted.active === 0 ? buildProjectListPaths(allIds, false)?.[0] : undefined) ?? '/report'),
  }
}
