import { isCancelledProjectStatus } from '../catalogue/project.ts'
import { formatBaht } from '../thai/thai-number.ts'
import type { CalendarFileEvent } from './calendar-file.ts'
import {
  DEADLINE_KIND_TEXTS,
  type Deadline,
  type DeadlineFacts,
  formatDeadlineLegalBasis,
  getDeadlineCertaintyLabel,
  getDeadlineEndMs,
  getProjectDeadlines,
} from './deadlines.ts'
import type { ReportRow } from './report.ts'

export type DatedDeadline = Deadline & { readonly day: string }

export type DeadlineEventFacts = DeadlineFacts & Pick<ReportRow, 'dept_name' | 'dept_sub_name' | 'estimate_budget'>

export function getUpcomingDeadlines(row: DeadlineFacts, now: Date): DatedDeadline[] {
  return row.status === 'in_progress' ? datedUpcoming(row, now) : []
}

function datedUpcoming(row: DeadlineFacts, now: Date): DatedDeadline[] {
  return getProjectDeadlines(row)
    .filter(
      (deadline): deadline is DatedDeadline => deadline.day !== null && getDeadlineEndMs(deadline)! > now.getTime(),
    )
    .toSorted((a, b) => getDeadlineEndMs(a)! - getDeadlineEndMs(b)!)
}

/**
 * Returns the future dates of a cancelled project, because users may have them in their calendars and need the
 * cancellation.
 */
export function getCancelledDeadlines(row: DeadlineFacts, now: Date): DatedDeadline[] {
  return isCancelledProjectStatus(row.status) ? datedUpcoming(row, now) : []
}

const EVENT_MINUTES = 30

/**
 * Returns the half hour that ends at a deadline's time, so that the event has a visible height in a calendar. The half
 * hour never starts before midnight.
 */
function eventTime({ time }: Deadline): CalendarFileEvent['time'] {
  if (!time || time.from !== time.to) return time
  const [hours, minutes] = time.to.split(':').map(Number) as [number, number]
  const start = hours * 60 + minutes - EVENT_MINUTES
  // In the first half hour of a day the event would start on the previous day, so it becomes an all-day event.
  if (start < 0) return undefined
  const pad = (value: number) => String(value).padStart(2, '0')
  return { from: `${pad(Math.floor(start / 60))}:${pad(start % 60)}`, to: time.to }
}

/** Builds the event of a deadline. `basis` replaces the clause of a deadline that was received without it. */
export function buildDeadlineEvent(
  row: DeadlineEventFacts,
  deadline: DatedDeadline & { readonly basis?: string },
  url: string,
  now: Date,
): CalendarFileEvent {
  const { name, estimate } = DEADLINE_KIND_TEXTS[deadline.kind]
  const unit = [row.dept_sub_name, row.dept_name].filter(
    (name, index, names) => name !== '' && names.indexOf(name) === index,
  )
  const price =
    row.estimate_budget === null
      ? row.budget === null
        ? 'งบประมาณ: ไม่มีข้อมูล'
        : `งบประมาณ ${formatBaht(row.budget)} บาท`
      : `ราคากลาง ${formatBaht(row.estimate_budget)} บาท`
  const certainty = getDeadlineCertaintyLabel(deadline)
  const basis = `${certainty} ${deadline.basis ?? formatDeadlineLegalBasis(deadline)}`
  const doubt = deadline.isEstimate ? `${estimate} โปรดตรวจกับประกาศของหน่วยงาน` : undefined
  return {
    // The uid contains the project and the kind of date, but not the date itself, so that a newer file moves the event.
    uid: `${row.project_id}-${deadline.kind}@tamngan`,
    summary: `${name}${deadline.isEstimate ? ` (${certainty})` : ''}: ${row.name}`,
    description: [unit.join(' · '), price, `เลขที่โครงการ ${row.project_id}`, basis, doubt, deadline.note, url]
      .filter((line) => line !== undefined && line !== '')
      .join('\n'),
    url,
    day: deadline.day,
    time: eventTime(deadline),
    now,
    isCancelled: isCancelledProjectStatus(row.status),
  }
}
