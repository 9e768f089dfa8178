import type { ProjectMovement } from '#contract/project.ts'

/** The five steps behind the dots: draft, invitation, bids closed, winner, contract. */
export const MOVEMENT_STEPS = ['ร่าง TOR', 'เชิญชวน', 'ปิดรับข้อเสนอ', 'ประกาศผู้ชนะ', 'ทำสัญญา'] as const

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
export function movementStep(movement: string): number {
  return Object.hasOwn(STEP, movement) ? STEP[movement as ProjectMovement] : 0
}
