import { useId } from 'react'
import type { StatisticsScope } from '#contract/market/statistics-scope.ts'
import { classNames } from '#src/lib/class-names.ts'
import { ALL_OR_OWN_PROJECTS_LABELS } from './statistics-scope-filters.ts'

type Universe = StatisticsScope['universe']
type UniverseSwitchProps = {
  universe: Universe
  onChange: (universe: Universe) => void
  className?: string | undefined
}

export function AllOrOwnProjectsSwitch({ universe, onChange, className }: UniverseSwitchProps) {
  const name = useId()
  return (
    <fieldset className={classNames('inline-flex rounded-control border border-control bg-surface p-0.5', className)}>
      <legend className="sr-only">ขอบเขตโครงการ</legend>
      {(['watch', 'all'] as const).map((choice) => (
        <label
          key={choice}
          className={classNames(
            'inline-flex h-7.5 flex-1 items-center justify-center rounded-[6px] px-2.5 text-sm whitespace-nowrap has-focus-visible:outline-2 has-focus-visible:outline-accent-ink touch:h-10',
            choice === universe
              ? 'bg-accent font-medium text-on-accent forced-colors:bg-[Highlight] forced-colors:text-[HighlightText] forced-colors:forced-color-adjust-none forced-colors:*:text-[HighlightText]!'
              : 'text-ink-muted hover:text-ink',
          )}
        >
          <input
            type="radio"
            name={name}
            className="sr-only"
            checked={choice === universe}
            onChange={() => onChange(choice)}
          />
          <span
            title={
              choice === 'watch' ? `${ALL_OR_OWN_PROJECTS_LABELS.watch} (ตามคำติดตาม)` : ALL_OR_OWN_PROJECTS_LABELS.all
            }
          >
            {ALL_OR_OWN_PROJECTS_LABELS[choice]}
            {choice === 'watch' && <span className="max-xl:sr-only"> (ตามคำติดตาม)</span>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
