import type { RouteContext } from '#server/platform/route/route-app.ts'

export type RegistrationContext = RouteContext & {
  /** Codes are hashed with the first; any of them may have made one. */
  readonly secrets: readonly [string, ...string[]]
  /** `strict`: no answer tells whether an e-mail address, phone number or name is taken; the mailbox is told instead (R20). */
  readonly enumeration: 'open' | 'strict'
}
