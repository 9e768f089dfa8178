import { useEffect, useState } from 'react'
import { parseBidSubmissionHours } from '#contract/catalogue/submission-time.ts'
import { getDeadlineTimeLeft, type DeadlineTimeLeft as TimeLeftWords } from '#contract/catalogue/time-left.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { countDaysBetween, formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { classNames } from '#src/lib/class-names.ts'
import { DEADLINE_URGENCY_CLASSES } from '#src/lib/deadline-urgency-classes.ts'
import { getServerTime } from '#src/lib/session-store.ts'
import { useServerTime } from '#src/lib/use-server-time.ts'
import { UnknownValue } from '#src/ui/unknown-value.tsx'
import { useProjectRowDisplayData } from './project-row-display-data.ts'

/**
 * Returns the time left until a deadline. On the last day the caller re-renders once the hour (`time`) has passed,
 * because the tender closes before the day ends. Without an hour the whole day counts.
 */
export function useDeadlineTimeLeft(day: string, today: string, time?: string | null): TimeLeftWords {
  const until = day === today && time ? parseBidSubmissionHours(time)?.to : undefined
  const instant = until && `${day}T${until}:00+07:00`
  const [, rerender] = useState(0)
  useEffect(() => {
    const remainingMs = instant === undefined ? 0 : Date.parse(instant) - getServerTime().getTime()
    if (remainingMs <= 0) return
    const timer = setTimeout(() => rerender((count) => count + 1), remainingMs + 1)
    return () => clearTimeout(timer)
  }, [instant])
  const now = useServerTime()
  return getDeadlineTimeLeft(day, until, until === undefined ? new Date(`${today}T00:00:00+07:00`) : now)
}

type RowDeadlineProps = {
  row: Pick<ReportRow, 'is_archived' | 'status'>
  day: string | null
  time?: string | null
}

/** A deadline of a project, which counts down while the project is in progress. */
export function RowDeadline({ row, day, time = null }: RowDeadlineProps) {
  if (day === null) return <UnknownValue />
  return (
    <>
      <span className="block whitespace-nowrap">{formatThaiDateShortOrOriginal(day)}</span>
      {!row.is_archived && row.status === 'in_progress' && <TimeLeft day={day} time={time} />}
    </>
  )
}

function TimeLeft({ day, time }: { day: string; time: string | null }) {
  const { today } = useProjectRowDisplayData()
  const { text, urgency } = useDeadlineTimeLeft(day, today, time)
  return (
    <span className={classNames('block text-xs whitespace-nowrap', DEADLINE_URGENCY_CLASSES[urgency])}>{text}</span>
  )
}

export function ContractEndDate({ endDates, today }: { endDates: readonly string[]; today: string }) {
  const endDate = endDates.find((day) => day >= today) ?? endDates.at(-1)!
  const daysLeft = countDaysBetween(today, endDate)
  const otherCount = endDates.length - 1
  return (
    <>
      {formatThaiDateShortOrOriginal(endDate)}
      <span className="block text-xs text-ink-muted">
        {daysLeft > 0 ? `อีก ${daysLeft} วัน` : daysLeft === 0 ? 'วันนี้' : 'ครบกำหนดแล้ว'}
        {otherCount > 0 && ` · สัญญาอื่นอีก ${otherCount} ฉบับ`}
      </span>
    </>
  )
}
