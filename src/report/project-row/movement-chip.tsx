import { labelOf, PROJECT_MOVEMENTS, type ProjectMovement } from '#contract/catalogue/project.ts'
import { classNames } from '#src/lib/class-names.ts'

/** The five steps behind the dots: draft, invitation, bids closed, winner, contract. */
const MOVEMENT_STEPS = ['ร่าง TOR', 'เชิญชวน', 'ปิดรับข้อเสนอ', 'ประกาศผู้ชนะ', 'ทำสัญญา'] as const

const STEP: Record<ProjectMovement, number> = {
  draft_published: 1,
  draft_revised: 1,
  reference_price_published: 1,
  invited: 2,
  invitation_amended: 2,
  bids_closed: 3,
  invitation_cancelled: 0,
  winner_announced: 4,
  winner_amended: 4,
  winner_cancelled: 3,
  contract_created: 5,
  project_cancelled: 0,
}

/** How many of the five steps are done; 0 for a cancelled project and for a movement that we do not know. */
function movementStep(movement: string): number {
  return Object.hasOwn(STEP, movement) ? STEP[movement as ProjectMovement] : 0
}

/** The latest announcement in words, and as dots how far along the five steps it is. */
export function MovementChip({ movement }: { movement: string }) {
  const step = movementStep(movement)
  return (
    <>
      <span className="line-clamp-2">{labelOf(PROJECT_MOVEMENTS, movement)}</span>
      <MovementDots
        movement={movement}
        className="mt-1"
        title={`ขั้นที่ ${step} จาก ${MOVEMENT_STEPS.length}: ${MOVEMENT_STEPS[step - 1]}`}
      />
    </>
  )
}

type MovementDotsProps = { movement: string; className: string; title?: string }

/** Dots for the five steps, filled up to that of the project. A movement that is none of the five has no dots. */
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
