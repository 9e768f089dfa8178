import { queryOptions } from '@tanstack/react-query'
import {
  type EmailChangeRequest,
  emailChangeConfirmationResponseSchema,
  emailChangeLinkSchema,
  emailChangeSchema,
} from '#contract/account/email-change.ts'
import { ANONYMOUS, sendApiRequest } from '#src/api/http/client.ts'
import { ONE_SHOT_QUERY_OPTIONS, queryClient } from '#src/api/http/query-client.ts'

const KEY = ['users', 'email-change'] as const
const PATH = 'users/me/email-change'

export const emailChangeQuery = queryOptions({
  queryKey: KEY,
  queryFn: async ({ signal }) => (await sendApiRequest(PATH, { schema: emailChangeSchema, signal })).change,
  staleTime: 10_000,
})

async function withInvalidation(work: Promise<undefined>): Promise<void> {
  try {
    await work
  } finally {
    await queryClient.invalidateQueries({ queryKey: KEY })
  }
}

/** Sends a confirmation email to both addresses. Throws ProblemError at `email`. */
export const requestEmailChange = (json: EmailChangeRequest): Promise<void> =>
  withInvalidation(sendApiRequest(`${PATH}/`, { method: 'post', json }))

export const cancelEmailChange = (): Promise<void> => withInvalidation(sendApiRequest(`${PATH}/`, { method: 'delete' }))

const linkPath = (token: string) => `email-changes/${encodeURIComponent(token)}/`

/** Loads what the emailed link would change; opening the link has no side effects. */
export const emailChangeLinkQuery = (token: string) =>
  queryOptions({
    queryKey: ['email-change', token] as const,
    queryFn: () => sendApiRequest(linkPath(token), { ...ANONYMOUS, schema: emailChangeLinkSchema }),
    ...ONE_SHOT_QUERY_OPTIONS,
  })

/** Confirms the address that received the link; resolves to whether the change is now complete. */
export async function confirmEmailChange(token: string): Promise<boolean> {
  const path = `${linkPath(token)}confirm/`
  return (await sendApiRequest(path, { ...ANONYMOUS, method: 'post', schema: emailChangeConfirmationResponseSchema }))
    .is_done
}

export const cancelEmailChangeByLink = (token: string): Promise<undefined> =>
  sendApiRequest(`${linkPath(token)}stop/`, { ...ANONYMOUS, method: 'post' })
