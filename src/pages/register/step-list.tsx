import { Check } from 'lucide-react'
import { classNames } from '#src/lib/class-names.ts'
import { STEPS, type Step } from './registration-draft.ts'

/** The three steps, and which of them this is. */
export function StepList({ present }: { present: Step }) {
  return (
    <ol className="flex items-center gap-2 text-sm">
      {STEPS.map(({ step, name }) => {
        const isDone = step < present
        const isPresent = step === present
        return (
          <li
            key={step}
            aria-current={isPresent ? 'step' : undefined}
            className={classNames(
              'flex items-center gap-1.5',
              step > 1 && 'before:h-px before:w-4 before:bg-line-strong sm:before:w-8',
              isPresent ? 'font-medium text-ink' : 'text-ink-muted',
            )}
          >
            <span
              aria-hidden
              className={classNames(
                'inline-flex size-6 items-center justify-center rounded-full border text-xs tabular-nums',
                isPresent
                  ? 'border-accent bg-accent text-on-accent'
                  : isDone
                    ? 'border-accent-line bg-accent-soft text-accent-ink'
                    : 'border-line-strong',
              )}
            >
              {isDone ? <Check className="size-3.5" /> : step}
            </span>
            {name}
            {isDone && <span className="sr-only"> เสร็จแล้ว</span>}
          </li>
        )
      })}
    </ol>
  )
}
