import { z } from 'zod/mini'
import { registrationEmailSchema } from './registration-form.ts'

/**
 * Requests and responses of an e-mail change. The old and the new address must both confirm it; either can cancel it
 * (decision 0125).
 */

export const EMAIL_CHANGE_LIFETIME_HOURS = 24

/** `GET /users/me/email-change`. Null when no change is pending; times are UTC ISO. */
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

export const emailChangeRequestSchema = z.object({ email: registrationEmailSchema })
export type EmailChangeRequest = z.output<typeof emailChangeRequestSchema>

/** `GET /email-changes/{token}`. `side` is the address that received the link; both addresses are partly masked. */
export const emailChangeLinkSchema = z.object({
  side: z.enum(['old', 'new']),
  old_email: z.string(),
  new_email: z.string(),
  is_confirmed: z.boolean(),
})
export type EmailChangeLink = z.output<typeof emailChangeLinkSchema>

/** `POST /email-changes/{token}/confirm`. `is_done` is false while the other side has not confirmed. */
export const emailChangeConfirmationResponseSchema = z.object({ is_done: z.boolean() })
