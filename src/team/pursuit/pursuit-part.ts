import type { PursuitSettings } from '#contract/account/pursuit-settings.ts'
import type { PursuitDetail } from '#contract/team/pursuit.ts'

/** What each part of the block is given: a project, what is there of it with what is pending, and the team's settings. */
export type PursuitPartProps = {
  readonly id: string
  readonly detail: PursuitDetail
  readonly settings: PursuitSettings
}
