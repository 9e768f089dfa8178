import { labelOf, PROJECT_MOVEMENTS } from '#contract/project.ts'
import { classNames } from '#src/lib/class-names.ts'
import { MOVEMENT_STEPS, movementStep } from './movement-step.ts'

/** The latest announcement in words, and as dots how far along the five steps it is. */
export function MovementChip({ movement }: { movement: string }) {
  const step = movementStep(movement)
  return (
    <>
      <span className="block">{labelOf(PROJECT_MOVEMENTS, movement)}</span>
      {step > 0 && (
        <span
          className="mt-1 flex gap-1"
          title={`ขั้นที่ ${step} จาก ${MOVEMENT_STEPS.length}: ${MOVEMENT_STEPS[step - 1]}`}
        >
          <span className="sr-only">
            ขั้นที่ {step} จาก {MOVEMENT_STEPS.length}
          </span>
          {MOVEMENT_STEPS.map((name, index) => (
            <span
              key={name}
              aria-hidden
              className={classNames('size-1.5 rounded-full', index < step ? 'bg-accent-ink' : 'bg-line-strong')}
            />
          ))}
        </span>
      )}
    </>
  )
}
