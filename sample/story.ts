import type { ProjectMovement } from '#contract/catalogue/project.ts'
import type { PublishedFields } from './project-life.ts'
import type { ProjectPlan } from './project-plan.ts'
import type { SeededRandom } from './seeded-random.ts'
import type { CompetitionLevel, ProjectTimeline } from './timeline.ts'

export type ProjectFate =
  | 'contract'
  | 'draft_dropped'
  | 'invitation_withdrawn'
  | 'no_bidder'
  | 'project_cancelled'
  | 'winner_cancelled'
  | 'winner_amended'

export type ProjectStory = {
  readonly random: SeededRandom
  readonly plan: ProjectPlan
  readonly road: CompetitionLevel
  readonly timeline: ProjectTimeline
  readonly fate: ProjectFate
  readonly announce: (movement: ProjectMovement, day: number, fields: PublishedFields) => void
  /** Adds a change that is published without an announcement. */
  readonly show: (day: number, fields: PublishedFields) => void
}
