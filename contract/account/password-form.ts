import { z } from 'zod/mini'
import { createPasswordsMatchCheck, newPasswordSchema, repeatedPasswordSchema } from './new-password-form.ts'
import { registrationEmailSchema } from './registration-form.ts'

/** Request bodies of the password calls (specification sections 5 and 7); loaded by the forms and the server only. */

export const passwordResetRequestSchema = z.object({ email: registrationEmailSchema })

/**
 * If true, also revokes access that works without a login: the user's secret addresses, LINE link, API keys, webhooks
 * and invitations.
 */
const endsAccess = { end_secret_addresses: z.optional(z.boolean()) }

export const passwordResetConfirmationSchema = z
  .object({ new_password: newPasswordSchema, confirm_password: repeatedPasswordSchema, ...endsAccess })
  .check(createPasswordsMatchCheck('new_password'))
export type PasswordResetConfirmation = z.output<typeof passwordResetConfirmationSchema>

/** POST /password/change/: requires a recent proof of identity in this session. */
export const passwordChangeSchema = z
  .object({
    new_password: newPasswordSchema,
    confirm_password: repeatedPasswordSchema,
    ...endsAccess,
  })
  .check(createPasswordsMatchCheck('new_password'))
export type PasswordChange = z.output<typeof passwordChangeSchema>
