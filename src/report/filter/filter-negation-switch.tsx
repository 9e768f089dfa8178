import { classNames } from '#src/lib/class-names.ts'

type NegationSwitchProps = {
  filter: string
  on: boolean
  onChange: (on: boolean) => void
}

export function FilterNegationSwitch({ filter, on, onChange }: NegationSwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={on}
      aria-label={`${filter}: ไม่เอารายการที่เลือก`}
      onClick={() => onChange(!on)}
      className="mt-1.5 flex min-h-7 w-full items-center gap-2 rounded-control text-left text-xs touch:min-h-11"
    >
      <span
        aria-hidden
        className={classNames(
          'inline-flex h-4 w-7 shrink-0 items-center rounded-full border px-px transition-colors',
          on ? 'border-urgent-solid bg-urgent-solid forced-colors:bg-[Highlight]' : 'border-control bg-surface',
        )}
      >
        <span
          className={classNames(
            'size-3 rounded-full transition-transform',
            on ? 'translate-x-3 bg-white forced-colors:bg-[Canvas]' : 'bg-control forced-colors:bg-[ButtonText]',
          )}
        />
      </span>
      <span className={on ? 'font-medium text-urgent' : 'text-ink-muted'}>ไม่เอารายการที่เลือก</span>
    </button>
  )
}
