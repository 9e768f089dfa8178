import { getChoiceLabel, PROJECT_MOVEMENTS, type ProjectMovement } from '#contract/catalogue/project.ts'
import { classNames } from '#src/lib/class-names.ts'

const MOVEMENT_STEPS = ['ร่าง TOR', 'เชิญชวน', 'ปิดรับข้อเสนอ', 'ประกาศผู้ชนะ', 'ทำสัญญา'] as const

const STEP_BY_MOVEMENT: Record<ProjectMovement, number> = {
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

function completedSteps(movement: string): number {
  return Object.hasOwn(STEP_BY_MOVEMENT, movement) ? STEP_BY_MOVEMENT[movement as ProjectMovement] : 0
}

export function ProjectMovementStatus({ movement }: { movement: string }) {
  const completed = completedSteps(movement)
  return (
    <>
      <span className="line-clamp-2">{getChoiceLabel(PROJECT_MOVEMENTS, movement)}</span>
      <ProjectMovementDots
        movement={movement}
        className="mt-1"
        title={`ขั้นที่ ${completed} จาก ${MOVEMENT_STEPS.length}: ${MOVEMENT_STEPS[completed - 1]}`}
      />
    </>
  )
}

type MovementDotsProps = { movement: string; className: string; title?: string }

export function ProjectMovementDots({ movement, className, title }: MovementDotsProps) {
  const completed = completedSteps(movement)
  if (completed === 0) return null
  return (
    <span className={classNames('flex gap-1', className)} title={title}>
      <span className="sr-only">
        ขั้นที่ {completed} จาก {MOVEMENT_STEPS.length}
      </span>
      {MOVEMENT_STEPS.map((name, index) => (
        <span
          key={name}
          aria-hidden
          className={classNames('size-1.5 rounded-full', index < completed ? 'bg-accent-ink' : 'bg-line-strong')}
        />
      ))}
    </span>
  )
}
