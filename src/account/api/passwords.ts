import {
  messageResponseSchema,
  PASSWORD_RESET_PROBLEM_CODES,
  type PasswordResetProblem,
  passwordResetVerificationResponseSchema,
} from '#contract/account/password.ts'
import type { PasswordChange, PasswordResetConfirmation } from '#contract/account/password-form.ts'
import { apiQueryOptions, MAILED_LINK_QUERY_OPTIONS } from '#src/api/http/api-query-options.ts'
import { postAnonymously, sendApiRequest } from '#src/api/http/client.ts'
import { ProblemError } from '#src/lib/problem-error.ts'

export async function requestPasswordReset(email: string): Promise<void> {
  // The specification requires this call. Its response is the same for every e-mail address, so it is ignored.
  await postAnonymously('auth/check-email-exist/forgot-password/', { json: { email } })
  await postAnonymously('password/reset/', { json: { email }, schema: messageResponseSchema })
}

export const passwordResetLinkQuery = (token: string) =>
  apiQueryOptions('password/reset/verify/:token/', {
    queryKey: ['reset-link', token],
    params: { token },
    schema: passwordResetVerificationResponseSchema,
    select: ({ email }) => email,
    ...MAILED_LINK_QUERY_OPTIONS,
  })

export const confirmPasswordReset = (token: string, json: PasswordResetConfirmation): Promise<undefined> =>
  postAnonymously(`password/reset/confirm/${encodeURIComponent(token)}/`, { json })

export function getPasswordResetProblem(error: unknown): PasswordResetProblem['code'] | undefined {
  if (!(error instanceof ProblemError)) return undefined
  return PASSWORD_RESET_PROBLEM_CODES.find((code) => code === error.code)
}

export const changePassword = (json: PasswordChange): Promise<undefined> =>
  sendApiRequest('password/change/', { method: 'post', json })
