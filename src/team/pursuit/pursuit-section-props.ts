import type { PursuitSettings } from '#contract/account/pursuit-settings.ts'
import type { PursuitDetail } from '#contract/team/pursuit.ts'

/** Props of every section of the pursuit block. `detail` includes pending local changes. */
export type PursuitSectionProps = {
  readonly id: string
  readonly detail: PursuitDetail
  readonly settings: PursuitSettings
}
