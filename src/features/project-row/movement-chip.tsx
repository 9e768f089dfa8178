import { labelOf, PROJECT_MOVEMENTS } from '#contract/project.ts'
import { classNames } from '#src/lib/class-names.ts'
import { MOVEMENT_STEPS, movementStep } from './movement-step.ts'

/** The latest announcement in words, and as dots how far along the five steps it is. */
export function MovementChip({ movement }: { movement: string }) {
  const step = movementStep(movement)
  return (
    <>
      <span className="block">{labelOf(PROJECT_MOVEMENTS, movement)}</span>
      <MovementDots
        movement={movement}
        className="mt-1"
        title={`ขั้นที่ ${step} จาก ${MOVEMENT_STEPS.length}: ${MOVEMENT_STEPS[step - 1]}`}
      />
    </>
  )
}

type MovementDotsProps = { movement: string; className: string; title?: string }

/** How far along the five steps it is; nothing for what is none of them. */
export function MovementDots({ movement, className, title }: MovementDotsProps) {
  const step = movementStep(movement)
  if (step === 0) return null
  return (
    <span className={classNames('flex gap-1', className)} title={title}>
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
  )
}
