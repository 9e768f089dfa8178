import type { RouteContext } from '#server/platform/route/route-app.ts'

export type RegistrationContext = RouteContext & {
  /** Codes are hashed with the first secret and verified with all. */
  readonly secrets: readonly [string, ...string[]]
  /**
   * `strict`: no response reveals whether an e-mail address, phone number or name is taken; an email to the address
   * says so instead (R20).
   */
  readonly enumeration: 'open' | 'strict'
}
