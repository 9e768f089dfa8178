import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '#src/lib/class-names.ts'

type ChipProps = {
  label?: string | undefined
  children: ReactNode
  tone?: 'accent' | 'neutral' | 'negative'
  removeLabel?: string
  onRemove?: () => void
  onPress?: () => void
}

const TONES = {
  accent: 'border-accent-line bg-accent-soft text-accent-ink',
  neutral: 'border-line bg-surface-muted text-ink',
  negative: 'border-urgent-line bg-urgent-soft text-urgent',
} as const

export function Chip({ label, children, tone = 'accent', removeLabel, onRemove, onPress }: ChipProps) {
  const text = (
    <>
      {label && <span>{label} </span>}
      <span className="font-medium">{children}</span>
    </>
  )
  return (
    <span
      className={classNames(
        'inline-flex max-w-full items-center rounded-control border text-sm',
        TONES[tone],
        onRemove ? 'pl-2.5' : 'px-2.5',
      )}
    >
      {onPress ? (
        <button type="button" onClick={onPress} className="min-w-0 truncate py-0.5 hover:underline touch:py-2">
          {text}
        </button>
      ) : (
        <span className="min-w-0 truncate py-0.5 touch:py-2">{text}</span>
      )}
      {onRemove && (
        <button
          type="button"
          aria-label={removeLabel ?? 'เอาออก'}
          onClick={onRemove}
          className="inline-flex size-7 shrink-0 items-center justify-center rounded-control opacity-80 hover:opacity-100 touch:size-11"
        >
          <X aria-hidden className="size-3.5" />
        </button>
      )}
    </span>
  )
}
