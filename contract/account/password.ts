import { z } from 'zod/mini'

/**
 * Password reset and change as seen by the client; request bodies are in `password-form.ts`.
 *
 * - POST /auth/check-email-exist/forgot-password/ and POST /password/reset/ `{ email }`: always the same 200, whether
 *   or not the account exists; 429 with `Retry-After` when repeated within a minute or more than five times an hour.
 * - GET /password/reset/verify/{token}/: 200, or 400 `passwordResetProblemSchema`. Has no side effects.
 * - POST /password/reset/confirm/{token}/ `{ new_password, confirm_password }`: 200 `messageResponseSchema`, and every session
 *   of the user ends; 400 `passwordResetProblemSchema` for the link, or field lists for the password. Does not log in.
 * - POST /password/change/ `{ new_password, confirm_password }` (bearer): 200, and every other session ends. 403 without a
 *   recent proof of identity (`second-factor.ts`), and in the demo.
 */
export const messageResponseSchema = z.object({ message: z.string() })

/** `email` is partly masked. */
export const passwordResetVerificationResponseSchema = z.object({ message: z.string(), email: z.string() })

export const PASSWORD_RESET_PROBLEM_CODES = ['reset_link_unknown', 'reset_link_expired', 'reset_link_used'] as const
const passwordResetProblemSchema = z.object({ code: z.enum(PASSWORD_RESET_PROBLEM_CODES), error: z.string() })
export type PasswordResetProblem = z.output<typeof passwordResetProblemSchema>

/** Lifetime of a password reset link (R21). */
export const PASSWORD_RESET_LINK_LIFETIME_SECONDS = 60 * 60
