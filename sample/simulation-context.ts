import type { ProjectMovement } from '#contract/catalogue/project.ts'
import type { PublishedProjectFields } from './project-history.ts'
import type { ProjectPlan } from './project-plan.ts'
import type { CompetitionLevel, ProjectTimeline } from './project-timeline.ts'
import type { SeededRandom } from './seeded-random.ts'

export type SimulatedProjectOutcome =
  | 'contract'
  | 'draft_dropped'
  | 'invitation_withdrawn'
  | 'no_bidder'
  | 'project_cancelled'
  | 'winner_cancelled'
  | 'winner_amended'

export type ProjectSimulationContext = {
  readonly random: SeededRandom
  readonly plan: ProjectPlan
  readonly competition: CompetitionLevel
  readonly timeline: ProjectTimeline
  readonly fate: SimulatedProjectOutcome
  readonly announce: (movement: ProjectMovement, day: number, fields: PublishedProjectFields) => void
  /** Adds a change of the project that is published without an announcement. */
  readonly show: (day: number, fields: PublishedProjectFields) => void
}
