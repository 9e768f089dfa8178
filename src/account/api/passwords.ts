import { queryOptions } from '@tanstack/react-query'
import {
  messageSchema,
  RESET_PROBLEM_CODES,
  type ResetProblem,
  resetVerifyAnswerSchema,
} from '#contract/account/password.ts'
import type { PasswordChange, ResetConfirm } from '#contract/account/password-form.ts'
import { request } from '#src/api/http/client.ts'
import { resetLinkKeys } from '#src/api/http/keys.ts'
import { ProblemError } from '#src/api/http/problem-error.ts'
import { ASKED_ONCE } from '#src/api/http/query-client.ts'

const ALONE = { withoutBearer: true, keepsSession: true } as const

/** Does not reveal whether the account exists. */
export async function requestPasswordReset(email: string): Promise<void> {
  // The specification's first call; its response is the same for every address, so it is ignored.
  await request('auth/check-email-exist/forgot-password/', { ...ALONE, method: 'post', json: { email } })
  await request('password/reset/', { ...ALONE, method: 'post', json: { email }, schema: messageSchema })
}

const linkPath = (step: 'verify' | 'confirm', token: string) => `password/reset/${step}/${encodeURIComponent(token)}/`

/** Whether a reset link is valid; the response has the masked e-mail address. */
export const resetLinkQuery = (token: string) =>
  queryOptions({
    queryKey: resetLinkKeys.of(token),
    queryFn: async (): Promise<string> => {
      const { email } = await request(linkPath('verify', token), { ...ALONE, schema: resetVerifyAnswerSchema })
      return email
    },
    ...ASKED_ONCE,
  })

/** Ends every session of the account. */
export async function confirmPasswordReset(token: string, form: ResetConfirm): Promise<void> {
  await request(linkPath('confirm', token), { ...ALONE, method: 'post', json: form })
}

/** Returns why a reset link is invalid; undefined for other errors. */
export function resetProblemOf(error: unknown): ResetProblem['code'] | undefined {
  if (!(error instanceof ProblemError)) return undefined
  return RESET_PROBLEM_CODES.find((code) => code === error.code)
}

/** Ends every other session of the user. */
export async function changePassword(form: PasswordChange): Promise<void> {
  await request('password/change/', { method: 'post', json: form })
}
