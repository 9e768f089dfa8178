import {
  messageResponseSchema,
  PASSWORD_RESET_PROBLEM_CODES,
  type PasswordResetProblem,
  passwordResetVerificationResponseSchema,
} from '#contract/account/password.ts'
import type { PasswordChange, PasswordResetConfirmation } from '#contract/account/password-form.ts'
import { apiQueryOptions, MAILED_LINK_QUERY_OPTIONS } from '#src/api/http/api-query-options.ts'
import { ANONYMOUS_REQUEST_OPTIONS, sendApiRequest } from '#src/api/http/client.ts'
import { ProblemError } from '#src/lib/problem-error.ts'

export async function requestPasswordReset(email: string): Promise<void> {
  // The specification requires this call. Its response is the same for every e-mail address, so it is ignored.
  await sendApiRequest('auth/check-email-exist/forgot-password/', {
    ...ANONYMOUS_REQUEST_OPTIONS,
    method: 'post',
    json: { email },
  })
  await sendApiRequest('password/reset/', {
    ...ANONYMOUS_REQUEST_OPTIONS,
    method: 'post',
    json: { email },
    schema: messageResponseSchema,
  })
}

export const passwordResetLinkQuery = (token: string) =>
  apiQueryOptions('password/reset/verify/:token/', {
    queryKey: ['reset-link', token],
    params: { token },
    schema: passwordResetVerificationResponseSchema,
    select: ({ email }) => email,
    ...MAILED_LINK_QUERY_OPTIONS,
  })

export async function confirmPasswordReset(token: string, form: PasswordResetConfirmation): Promise<void> {
  await sendApiRequest(`password/reset/confirm/${encodeURIComponent(token)}/`, {
    ...ANONYMOUS_REQUEST_OPTIONS,
    method: 'post',
    json: form,
  })
}

export function getPasswordResetProblem(error: unknown): PasswordResetProblem['code'] | undefined {
  if (!(error instanceof ProblemError)) return undefined
  return PASSWORD_RESET_PROBLEM_CODES.find((code) => code === error.code)
}

export async function changePassword(form: PasswordChange): Promise<void> {
  await sendApiRequest('password/change/', { method: 'post', json: form })
}
