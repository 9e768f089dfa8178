import { Check } from 'lucide-react'
import { classNames } from '#src/lib/class-names.ts'
import { STEPS, type Step } from './steps.ts'

type SetUpStepsProps = { present: Step; reached: Step; onGo: (step: Step) => void }

/** The five steps; those that were reached are a press away. On a phone only the present one is named. */
export function SetUpSteps({ present, reached, onGo }: SetUpStepsProps) {
  return (
    <nav aria-label="ขั้นตอนการตั้งค่า">
      <ol className="flex items-center gap-1 text-sm sm:gap-2">
        {STEPS.map(({ step, name }) => {
          const isPresent = step === present
          const isReached = step <= reached
          return (
            <li key={step} className="flex items-center gap-1 sm:gap-2">
              {step > 1 && <span aria-hidden className="h-px w-2 bg-line-strong sm:w-6" />}
              <button
                type="button"
                disabled={!isReached}
                aria-current={isPresent ? 'step' : undefined}
                onClick={() => onGo(step)}
                className={classNames(
                  'flex min-h-8 items-center gap-1.5 rounded-control px-1 touch:min-h-11',
                  isPresent ? 'font-medium text-ink' : 'text-ink-muted enabled:hover:text-ink',
                )}
              >
                <span
                  aria-hidden
                  className={classNames(
                    'inline-flex size-6 shrink-0 items-center justify-center rounded-full border text-xs tabular-nums',
                    isPresent && 'border-accent bg-accent text-on-accent',
                    !isPresent && isReached && 'border-accent-line bg-accent-soft text-accent-ink',
                    !isReached && 'border-line-strong',
                  )}
                >
                  {isReached && step < present ? <Check className="size-3.5" /> : step}
                </span>
                <span className={isPresent ? undefined : 'max-sm:sr-only'}>{name}</span>
              </button>
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
