import { type SubscribedEvent, subscribedCalendar } from '#contract/report/calendar-file.ts'
import { deadlineEvent, type EventFacts } from '#contract/report/deadline-event.ts'
import { type CalendarEvent, calendarKindText } from '#contract/team/calendar.ts'
import { bahtOf, byDay, deadlineFacts, eventsOf } from './calendar-events.ts'
import type { DayRange, StoredProject } from './queries.ts'

const eventFacts = (project: StoredProject): EventFacts => ({
  ...deadlineFacts(project),
  dept_name: project.dept_name,
  dept_sub_name: project.dept_sub_name,
  estimate_budget: bahtOf(project.estimate_satang),
})

/**
 * One event of a subscribed calendar: what is public of the project, nothing that a person wrote. Its number is the load that wrote the project last, so
 * that a date that moved has a higher one; an event that no longer is leaves the calendar with the next fetch.
 */
function subscribedEvent(event: CalendarEvent, project: StoredProject, url: string): SubscribedEvent {
  const { kind, day, time, note, is_estimate: isEstimate } = event
  const changedAt = new Date(project.written_at ?? 0)
  // The end of a contract is said as the day of a deadline is, under its own name.
  const said = deadlineEvent(
    eventFacts(project),
    {
      kind: kind === 'contract_end' ? 'result' : kind,
      day,
      isEstimate,
      ...(time && { time }),
      ...(note !== undefined && { note }),
    },
    url,
    changedAt,
  )
  const { now: _now, isCancelled: _isCancelled, ...content } = said
  return {
    ...content,
    uid: `${event.id}@tamngan`,
    ...(kind === 'contract_end' && { summary: contractSummary(event, project) }),
    sequence: project.written_load,
    changedAt,
    status: event.is_cancelled ? 'CANCELLED' : isEstimate ? 'TENTATIVE' : 'CONFIRMED',
  }
}

function contractSummary({ kind, note, contract_count: count }: CalendarEvent, { name }: StoredProject): string {
  // The number tells several contracts of one project apart.
  const number = count === undefined && note?.startsWith('สัญญาเลขที่ ') ? ` (${note})` : ''
  return `${calendarKindText(kind, count)}${number}: ${name}`
}

/** The text of a subscribed calendar; equal projects give equal texts. `pageOf`: address of a project's page. */
export function feedText(
  name: string,
  projects: readonly StoredProject[],
  range: DayRange,
  pageOf: (projectId: string) => string,
): string {
  const dated = projects.flatMap((project) => eventsOf(project, range).map((event) => ({ event, project })))
  const events = dated
    .sort((one, other) => byDay(one.event, other.event))
    .map(({ event, project }) => subscribedEvent(event, project, pageOf(project.project_id)))
  return subscribedCalendar(name, events)
}
