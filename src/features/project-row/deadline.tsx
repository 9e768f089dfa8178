import { thaiDay } from '#contract/thai/thai-date.ts'
import { classNames } from '#src/lib/class-names.ts'
import { daysUntil } from '#src/lib/thai-day.ts'
import { EmptyValue } from '#src/ui/empty-value.tsx'
import { type DeadlineTone, deadlineText } from './deadline-text.ts'

const TONES: Record<DeadlineTone, string> = {
  urgent: 'font-medium text-urgent',
  soon: 'font-medium text-updated',
  plain: 'text-ink-faint',
  past: 'text-ink-faint',
}

type DeadlineProps = {
  day: string | null
  today: string
  /** Closed projects keep the date without a countdown. */
  counts?: boolean
}

/** A last day with what is left of it below. */
export function Deadline({ day, today, counts = true }: DeadlineProps) {
  if (day === null) return <EmptyValue />
  const words = deadlineText(daysUntil(day, today))
  return (
    <>
      <span className="block whitespace-nowrap">{thaiDay(day)}</span>
      {counts && <span className={classNames('block text-xs whitespace-nowrap', TONES[words.tone])}>{words.text}</span>}
    </>
  )
}
