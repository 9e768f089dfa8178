import { z } from 'zod/mini'
import { newPasswordSchema, passwordsMatchCheck, repeatedPasswordSchema } from './new-password-form.ts'
import { registerEmailSchema } from './registration-form.ts'

/** Request bodies of the password calls (specification sections 5 and 7); loaded by the forms and the server only. */

export const resetRequestSchema = z.object({ email: registerEmailSchema })

/**
 * True also revokes access that works without a login: the user's secret addresses, LINE link, API keys, webhooks and
 * invitations.
 */
const endsAccess = { end_secret_addresses: z.optional(z.boolean()) }

export const resetConfirmSchema = z
  .object({ new_password: newPasswordSchema, confirm_password: repeatedPasswordSchema, ...endsAccess })
  .check(passwordsMatchCheck('new_password'))
export type PasswordResetConfirmation = z.output<typeof resetConfirmSchema>

/** POST /password/change/: requires a recent proof of identity in this session. */
export const passwordChangeSchema = z
  .object({
    new_password: newPasswordSchema,
    confirm_password: repeatedPasswordSchema,
    ...endsAccess,
  })
  .check(passwordsMatchCheck('new_password'))
export type PasswordChange = z.output<typeof passwordChangeSchema>
