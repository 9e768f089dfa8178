import { thaiDay } from '#contract/thai/thai-date.ts'
import { classNames } from '#src/lib/class-names.ts'
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

export const DEADLINE_TONES: Record<DeadlineTone, string> = {
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
      {counts && (
        <span className={classNames('block text-xs whitespace-nowrap', DEADLINE_TONES[words.tone])}>{words.text}</span>
      )}
    </>
  )
}
