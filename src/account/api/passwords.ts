import { queryOptions } from '@tanstack/react-query'
import {
  messageSchema,
  RESET_PROBLEM_CODES,
  type ResetProblem,
  resetVerifyResponseSchema,
} from '#contract/account/password.ts'
import type { PasswordChange, PasswordResetConfirmation } from '#contract/account/password-form.ts'
import { request } from '#src/api/http/client.ts'
import { resetLinkKeys } from '#src/api/http/keys.ts'
import { ProblemError } from '#src/api/http/problem-error.ts'
import { ONE_SHOT_QUERY } from '#src/api/http/query-client.ts'

const ANONYMOUS = { withoutBearer: true, keepsSession: true } as const

/** Requests a reset link by email. Does not reveal whether the account exists. */
export async function requestPasswordReset(email: string): Promise<void> {
  // The specification requires this call first; its response is the same for every e-mail address, so we ignore it.
  await request('auth/check-email-exist/forgot-password/', { ...ANONYMOUS, method: 'post', json: { email } })
  await request('password/reset/', { ...ANONYMOUS, method: 'post', json: { email }, schema: messageSchema })
}

const linkPath = (step: 'verify' | 'confirm', token: string) => `password/reset/${step}/${encodeURIComponent(token)}/`

export const resetLinkQuery = (token: string) =>
  queryOptions({
    queryKey: resetLinkKeys.of(token),
    queryFn: async (): Promise<string> =>
      (await request(linkPath('verify', token), { ...ANONYMOUS, schema: resetVerifyResponseSchema })).email,
    ...ONE_SHOT_QUERY,
  })

/** Sets the new password and ends every session of the account. */
export async function confirmPasswordReset(token: string, form: PasswordResetConfirmation): Promise<void> {
  await request(linkPath('confirm', token), { ...ANONYMOUS, method: 'post', json: form })
}

export function resetProblemOf(error: unknown): ResetProblem['code'] | undefined {
  if (!(error instanceof ProblemError)) return undefined
  return RESET_PROBLEM_CODES.find((code) => code === error.code)
}

/** Changes the password and ends every other session of the user. */
export async function changePassword(form: PasswordChange): Promise<void> {
  await request('password/change/', { method: 'post', json: form })
}
