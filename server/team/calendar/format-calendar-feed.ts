import { buildSubscribedCalendar, type SubscribedCalendarEvent } from '#contract/report/calendar-file.ts'
import { buildDeadlineEvent, type DeadlineEventFacts } from '#contract/report/deadline-event.ts'
import { type CalendarEvent, getCalendarEventKindLabel } from '#contract/team/calendar.ts'
import { satangToBaht } from '#server/platform/text/satang-to-baht.ts'
import { compareCalendarEventsByDay, deriveCalendarEvents, toProjectDeadlineFacts } from './derive-calendar-events.ts'
import type { CalendarDayRange, StoredCalendarProject } from './queries.ts'

const eventFacts = (project: StoredCalendarProject): DeadlineEventFacts => ({
  ...toProjectDeadlineFacts(project),
  dept_name: project.dept_name,
  dept_sub_name: project.dept_sub_name,
  estimate_budget: satangToBaht(project.estimate_satang),
})

/**
 * Returns an event for subscribed calendars, with public facts only. Its sequence number is the load that last wrote
 * the project, so an event with a moved date gets a higher number. An event that is no longer in the feed disappears
 * from the calendar with the client's next fetch.
 */
function subscribedEvent(event: CalendarEvent, project: StoredCalendarProject, url: string): SubscribedCalendarEvent {
  const { kind, day, time, note, basis, is_estimate: isEstimate } = event
  const changedAt = new Date(project.written_at ?? 0)
  const baseEvent = buildDeadlineEvent(
    eventFacts(project),
    {
      kind,
      day,
      isEstimate,
      basis,
      ...(time && { time }),
      ...(note !== undefined && { note }),
    },
    url,
    changedAt,
  )
  const { now: _now, isCancelled: _isCancelled, ...content } = baseEvent
  return {
    ...content,
    uid: `${event.id}@tamngan`,
    ...(kind === 'contract_end' && { summary: contractSummary(event, project) }),
    sequence: project.written_load,
    changedAt,
    status: event.is_cancelled ? 'CANCELLED' : isEstimate ? 'TENTATIVE' : 'CONFIRMED',
  }
}

function contractSummary(
  { kind, note, contract_count: count }: CalendarEvent,
  { name }: StoredCalendarProject,
): string {
  const number = count === undefined && note?.startsWith('สัญญาเลขที่ ') ? ` (${note})` : ''
  return `${getCalendarEventKindLabel(kind, count)}${number}: ${name}`
}

/**
 * Formats a calendar feed. Deterministic: equal projects give equal text. `pageOf` returns the URL of a project's page.
 */
export function formatCalendarFeed(
  name: string,
  projects: readonly StoredCalendarProject[],
  range: CalendarDayRange,
  pageOf: (projectId: string) => string,
): string {
  const dated = projects.flatMap((project) => deriveCalendarEvents(project, range).map((event) => ({ event, project })))
  const events = dated
    .sort((a, b) => compareCalendarEventsByDay(a.event, b.event))
    .map(({ event, project }) => subscribedEvent(event, project, pageOf(project.project_id)))
  return buildSubscribedCalendar(name, events)
}
