import { z } from 'zod/mini'
import { registerEmailSchema } from './registration-form.ts'

/** Taking another mail address: both addresses confirm it, and either stops it (decision 0125). */

export const EMAIL_CHANGE_HOURS = 24

/** `GET /users/me/email-change`: what is under way; null when nothing is. Moments are UTC ISO. */
export const emailChangeSchema = z.object({
  change: z.nullable(
    z.object({
      new_email: z.string(),
      old_confirmed: z.boolean(),
      new_confirmed: z.boolean(),
      expires_at: z.string(),
    }),
  ),
})
export type EmailChange = NonNullable<z.output<typeof emailChangeSchema>['change']>

/** `POST /users/me/email-change`. */
export const newEmailSchema = z.object({ email: registerEmailSchema })
export type NewEmail = z.output<typeof newEmailSchema>

/** `GET /email-changes/{token}`: which of the two addresses the link was sent to, and what has been said. */
export const emailChangeLinkSchema = z.object({
  side: z.enum(['old', 'new']),
  /** Their middle hidden. */
  old_email: z.string(),
  new_email: z.string(),
  /** This side has confirmed already. */
  is_confirmed: z.boolean(),
})
export type EmailChangeLink = z.output<typeof emailChangeLinkSchema>

/** `POST /email-changes/{token}/confirm`: whether the address has changed with it, or the other side is waited for. */
export const emailChangeConfirmedSchema = z.object({ is_done: z.boolean() })
