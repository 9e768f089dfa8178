import type { ProjectMovement } from '#contract/catalogue/project.ts'
import type { Sayings } from './project-life.ts'
import type { ProjectPlan } from './project-plan.ts'
import type { Random } from './seeded-random.ts'
import type { Road, Timeline } from './timeline.ts'

/** How a project ends. */
export type Fate =
  | 'contract'
  | 'draft_dropped'
  | 'invitation_withdrawn'
  | 'no_bidder'
  | 'project_cancelled'
  | 'winner_cancelled'
  | 'winner_amended'

/** One project while it is being made up. */
export type Story = {
  readonly random: Random
  readonly plan: ProjectPlan
  readonly road: Road
  readonly timeline: Timeline
  readonly fate: Fate
  /** An announcement, with the papers that hang on it. */
  readonly announce: (movement: ProjectMovement, day: number, says: Sayings) => void
  /** Something that becomes known without an announcement. */
  readonly show: (day: number, says: Sayings) => void
}
