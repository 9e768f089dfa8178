import type { ReactNode } from 'react'
import { classNames } from '#src/lib/class-names.ts'

const TONES = {
  new: 'border-new-line bg-new-soft text-new',
  updated: 'border-updated-line bg-updated-soft text-updated',
  urgent: 'border-urgent-line bg-urgent-soft text-urgent',
  neutral: 'border-line bg-surface-muted text-ink-muted',
  accent: 'border-accent-line bg-accent-soft text-accent-ink',
} as const
export type BadgeTone = keyof typeof TONES

type BadgeProps = { tone?: BadgeTone; className?: string; children: ReactNode }

/** The text must carry the meaning; the colour only repeats it. */
export function Badge({ tone = 'neutral', className, children }: BadgeProps) {
  return (
    <span
      className={classNames(
        'inline-flex items-center gap-1 rounded-full border px-2 text-xs whitespace-nowrap',
        TONES[tone],
        className,
      )}
    >
      {children}
    </span>
  )
}

export function CountBadge({ count, label }: { count: number; label?: string }) {
  return (
    <span className="inline-flex h-5 min-w-5 items-center justify-center rounded-full bg-accent px-1.5 text-xs text-on-accent tabular-nums">
      {count}
      {label && <span className="sr-only"> {label}</span>}
    </span>
  )
}
