import type { ProjectMovement } from '#contract/catalogue/project.ts'
import type { PublishedFields } from './project-life.ts'
import type { ProjectPlan } from './project-plan.ts'
import type { Random } from './seeded-random.ts'
import type { Road, Timeline } from './timeline.ts'

export type Fate =
  | 'contract'
  | 'draft_dropped'
  | 'invitation_withdrawn'
  | 'no_bidder'
  | 'project_cancelled'
  | 'winner_cancelled'
  | 'winner_amended'

export type Story = {
  readonly random: Random
  readonly plan: ProjectPlan
  readonly road: Road
  readonly timeline: Timeline
  readonly fate: Fate
  readonly announce: (movement: ProjectMovement, day: number, fields: PublishedFields) => void
  /** Adds a change that is published without an announcement. */
  readonly show: (day: number, fields: PublishedFields) => void
}
