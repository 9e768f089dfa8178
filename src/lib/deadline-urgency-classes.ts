import type { DeadlineUrgency } from '#contract/catalogue/time-left.ts'

export const DEADLINE_URGENCY_CLASSES: Readonly<Record<DeadlineUrgency, string>> = {
  urgent: 'font-medium text-urgent',
  soon: 'font-medium text-updated',
  plain: 'text-ink-muted',
  past: 'text-ink-faint',
}

export const DEADLINE_BAR_CLASSES: Readonly<Record<DeadlineUrgency, string>> = {
  urgent: 'bg-urgent',
  soon: 'bg-updated',
  plain: 'bg-ink-faint',
  past: 'bg-line-strong',
}
