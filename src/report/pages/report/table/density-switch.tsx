import { Rows3, Rows4 } from 'lucide-react'
import { useId } from 'react'
import { classNames } from '#src/lib/class-names.ts'
import { DISPLAY_DENSITIES, setDisplayDensity, useDisplayDensity } from '#src/lib/density.ts'

const ICONS = { comfortable: Rows3, compact: Rows4 } as const

export function DisplayDensitySwitch({ className }: { className?: string }) {
  const density = useDisplayDensity()
  // The screen renders two switches, one per width; with a shared name they would be one radio group.
  const group = useId()
  return (
    <fieldset className={classNames('flex rounded-control bg-surface-muted p-0.5', className)}>
      <legend className="sr-only">ความห่างของแถว</legend>
      {DISPLAY_DENSITIES.map(({ code, name }) => {
        const Icon = ICONS[code]
        return (
          <label
            key={code}
            title={name}
            className={classNames(
              'flex h-7 w-8 items-center justify-center rounded-[5px] border has-focus-visible:outline-2 has-focus-visible:outline-accent-ink touch:size-11',
              density === code ? 'border-line bg-surface text-ink' : 'border-transparent text-ink-faint hover:text-ink',
            )}
          >
            <input
              type="radio"
              name={group}
              aria-label={name}
              className="sr-only"
              checked={density === code}
              onChange={() => setDisplayDensity(code)}
            />
            <Icon aria-hidden className="size-4" />
          </label>
        )
      })}
    </fieldset>
  )
}
