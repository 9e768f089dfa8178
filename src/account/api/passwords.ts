import { queryOptions } from '@tanstack/react-query'
import {
  messageResponseSchema,
  PASSWORD_RESET_PROBLEM_CODES,
  type PasswordResetProblem,
  passwordResetVerifyResponseSchema,
} from '#contract/account/password.ts'
import type { PasswordChange, PasswordResetConfirmation } from '#contract/account/password-form.ts'
import { ANONYMOUS, sendApiRequest } from '#src/api/http/client.ts'
import { passwordResetLinkKeys } from '#src/api/http/keys.ts'
import { ProblemError } from '#src/api/http/problem-error.ts'
import { ONE_SHOT_QUERY_OPTIONS } from '#src/api/http/query-client.ts'

/** Requests a reset link by email. Does not reveal whether the account exists. */
export async function requestPasswordReset(email: string): Promise<void> {
  // The specification requires this call first; its response is the same for every e-mail address, so we ignore it.
  await sendApiRequest('auth/check-email-exist/forgot-password/', { ...ANONYMOUS, method: 'post', json: { email } })
  await sendApiRequest('password/reset/', {
    ...ANONYMOUS,
    method: 'post',
    json: { email },
    schema: messageResponseSchema,
  })
}

const linkPath = (step: 'verify' | 'confirm', token: string) => `password/reset/${step}/${encodeURIComponent(token)}/`

export const passwordResetLinkQuery = (token: string) =>
  queryOptions({
    queryKey: passwordResetLinkKeys.of(token),
    queryFn: async (): Promise<string> =>
      (await sendApiRequest(linkPath('verify', token), { ...ANONYMOUS, schema: passwordResetVerifyResponseSchema }))
        .email,
    ...ONE_SHOT_QUERY_OPTIONS,
  })

/** Sets the new password and ends every session of the account. */
export async function confirmPasswordReset(token: string, form: PasswordResetConfirmation): Promise<void> {
  await sendApiRequest(linkPath('confirm', token), { ...ANONYMOUS, method: 'post', json: form })
}

export function getPasswordResetProblem(error: unknown): PasswordResetProblem['code'] | undefined {
  if (!(error instanceof ProblemError)) return undefined
  return PASSWORD_RESET_PROBLEM_CODES.find((code) => code === error.code)
}

/** Changes the password and ends every other session of the user. */
export async function changePassword(form: PasswordChange): Promise<void> {
  await sendApiRequest('password/change/', { method: 'post', json: form })
}
