import { classNames } from '#src/lib/class-names.ts'

type UsageBarProps = { label: string; used: number; limit: number; text: string }

/** How much of a limit is used; the words carry the meaning, the bar repeats them. */
export function UsageBar({ label, used, limit, text }: UsageBarProps) {
  const share = limit > 0 ? Math.min(1, used / limit) : used > 0 ? 1 : 0
  return (
    <div>
      <p className="flex flex-wrap justify-between gap-x-3 text-sm">
        <span>{label}</span>
        <span className="text-ink-muted tabular-nums">{text}</span>
      </p>
      <div aria-hidden className="mt-1 h-1.5 overflow-hidden rounded-full bg-surface-muted">
        <div
          className={classNames('h-full rounded-full', share >= 1 ? 'bg-star' : 'bg-accent')}
          style={{ width: `${share * 100}%` }}
        />
      </div>
    </div>
  )
}
