import type { PursuitDetail } from '#contract/pursuit/pursuit.ts'
import type { PursuitSettings } from '#contract/pursuit/pursuit-settings.ts'

/** What each part of the block is given: a project, what is there of it with what is pending, and the team's settings. */
export type PursuitPartProps = {
  readonly id: string
  readonly detail: PursuitDetail
  readonly settings: PursuitSettings
}
