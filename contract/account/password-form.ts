import { z } from 'zod/mini'
import { newPasswordSchema, passwordAgainSchema, passwordsAgree } from './new-password-form.ts'
import { registerEmailSchema } from './registration-form.ts'

/** What the password calls send (specification sections 5 and 7); loaded by the forms and the server only. */

/** POST /auth/check-email-exist/forgot-password/ and POST /password/reset/. */
export const resetRequestSchema = z.object({ email: registerEmailSchema })

/** True ends everything that works without a login too: secret addresses, LINE, API keys, webhooks and invitations that the user made. */
const endsAccess = { end_secret_addresses: z.optional(z.boolean()) }

/** POST /password/reset/confirm/{token}/. */
export const resetConfirmSchema = z
  .object({ new_password: newPasswordSchema, confirm_password: passwordAgainSchema, ...endsAccess })
  .check(passwordsAgree('new_password'))
export type ResetConfirm = z.output<typeof resetConfirmSchema>

/** POST /password/change/: of a session whose holder has just shown who they are. */
export const passwordChangeSchema = z
  .object({
    new_password: newPasswordSchema,
    confirm_password: passwordAgainSchema,
    ...endsAccess,
  })
  .check(passwordsAgree('new_password'))
export type PasswordChange = z.output<typeof passwordChangeSchema>
