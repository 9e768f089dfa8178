import { Check } from 'lucide-react'
import { classNames } from '#src/lib/class-names.ts'

type StepListProps<Step extends number> = {
  label: string
  steps: readonly { readonly step: Step; readonly name: string }[]
  present: Step
  reached?: Step
  /** Opens a step. Without it the steps cannot be pressed. */
  onGoToStep?: (step: Step) => void
}

/** Steps of a form over several screens. A phone shows only the name of the present one. */
export function StepList<Step extends number>({
  label,
  steps,
  present,
  reached = present,
  onGoToStep,
}: StepListProps<Step>) {
  return (
    <nav aria-label={label}>
      <ol className="flex items-center gap-1 text-sm sm:gap-2">
        {steps.map(({ step, name }, index) => {
          const isPresent = step === present
          const isDone = step < present
          const isReached = step <= reached
          const itemProps = {
            'aria-current': isPresent ? ('step' as const) : undefined,
            className: classNames(
              'flex min-h-8 items-center gap-1.5 rounded-control px-1 touch:min-h-11',
              isPresent ? 'font-medium text-ink' : 'text-ink-muted enabled:hover:text-ink',
            ),
            children: (
              <>
                <span
                  aria-hidden
                  className={classNames(
                    'inline-flex size-6 shrink-0 items-center justify-center rounded-full border text-xs tabular-nums',
                    isPresent && 'border-accent bg-accent text-on-accent',
                    !isPresent && isReached && 'border-accent-line bg-accent-soft text-accent-ink',
                    !isReached && 'border-line-strong',
                  )}
                >
                  {isDone ? <Check className="size-3.5" /> : index + 1}
                </span>
                <span className={isPresent ? undefined : 'max-sm:sr-only'}>{name}</span>
                {isDone && <span className="sr-only"> เสร็จแล้ว</span>}
              </>
            ),
          }
          return (
            <li key={step} className="flex items-center gap-1 sm:gap-2">
              {index > 0 && <span aria-hidden className="h-px w-2 bg-line-strong sm:w-6" />}
              {onGoToStep ? (
                <button type="button" disabled={!isReached} onClick={() => onGoToStep(step)} {...itemProps} />
              ) : (
                <span {...itemProps} />
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
