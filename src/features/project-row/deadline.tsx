import { useEffect, useState } from 'react'
import { submissionTime } from '#contract/project/submission-time.ts'
import { thaiDay } from '#contract/thai/thai-date.ts'
import { classNames } from '#src/lib/class-names.ts'
import { serverNow } from '#src/lib/session-store.ts'
import { daysUntil } from '#src/lib/thai-day.ts'
import { EmptyValue } from '#src/ui/empty-value.tsx'

/** Amber from this many days left, rose from the second (product 5.1.2, columns 14 and 16). */
const SOON_DAYS = 7
const URGENT_DAYS = 2

export type DeadlineTone = 'urgent' | 'soon' | 'plain' | 'past'
type DeadlineText = { readonly text: string; readonly tone: DeadlineTone }

/** Words and tone of a deadline `daysLeft` Bangkok calendar days away; 0 is today, negative is past. */
export function deadlineText(daysLeft: number): DeadlineText {
  if (daysLeft < 0) return { text: 'หมดเขตแล้ว', tone: 'past' }
  if (daysLeft === 0) return { text: 'วันนี้วันสุดท้าย', tone: 'urgent' }
  const tone = daysLeft <= URGENT_DAYS ? 'urgent' : daysLeft <= SOON_DAYS ? 'soon' : 'plain'
  return { text: `เหลือ ${daysLeft} วัน`, tone }
}

/**
 * The words of a deadline on this very day say until when, and once that has passed, that nothing is taken any more: a day that is not over is not a tender
 * that is still open. `time` as the feed has it; without one the day counts.
 */
export function useDeadlineText(day: string, today: string, time?: string | null): DeadlineText {
  const until = day === today && time ? submissionTime(time)?.to : undefined
  const isOver = useIsPast(until && `${day}T${until}:00+07:00`)
  if (!until) return deadlineText(daysUntil(day, today))
  return isOver ? { text: `ปิดรับแล้ว ${until} น.`, tone: 'past' } : { text: `วันนี้ถึง ${until} น.`, tone: 'urgent' }
}

/** Whether an instant of today has passed; true from that moment on, without anything else being drawn. */
function useIsPast(instant: string | undefined): boolean {
  const [, draw] = useState(0)
  const left = instant === undefined ? undefined : Date.parse(instant) - serverNow().getTime()
  const isComing = left !== undefined && left > 0
  useEffect(() => {
    if (!isComing || instant === undefined) return
    const timer = setTimeout(() => draw((count) => count + 1), Date.parse(instant) - serverNow().getTime() + 1)
    return () => clearTimeout(timer)
  }, [isComing, instant])
  return left !== undefined && !isComing
}

export const DEADLINE_TONES: Record<DeadlineTone, string> = {
  urgent: 'font-medium text-urgent',
  soon: 'font-medium text-updated',
  plain: 'text-ink-faint',
  past: 'text-ink-faint',
}

type DeadlineProps = {
  day: string | null
  today: string
  /** Until when on that day, as the feed has it. */
  time?: string | null | undefined
  /** Closed projects keep the date without a countdown. */
  counts?: boolean
}

/** A last day with what is left of it below. */
export function Deadline({ day, today, time, counts = true }: DeadlineProps) {
  if (day === null) return <EmptyValue />
  return (
    <>
      <span className="block whitespace-nowrap">{thaiDay(day)}</span>
      {counts && <TimeLeft day={day} today={today} time={time} />}
    </>
  )
}

function TimeLeft({ day, today, time }: Pick<DeadlineProps, 'today' | 'time'> & { day: string }) {
  const { text, tone } = useDeadlineText(day, today, time)
  return <span className={classNames('block text-xs whitespace-nowrap', DEADLINE_TONES[tone])}>{text}</span>
}
