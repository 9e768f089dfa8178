import { queryOptions } from '@tanstack/react-query'
import {
  emailChangeConfirmedSchema,
  emailChangeLinkSchema,
  emailChangeSchema,
  type NewEmail,
} from '#contract/account/email-change.ts'
import { request } from '#src/api/http/client.ts'
import { ONE_SHOT_QUERY, queryClient } from '#src/api/http/query-client.ts'

const KEY = ['users', 'email-change'] as const
const PATH = 'users/me/email-change'

export const emailChangeQuery = queryOptions({
  queryKey: KEY,
  queryFn: async ({ signal }) => (await request(PATH, { schema: emailChangeSchema, signal })).change,
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
export const requestEmailChange = (json: NewEmail): Promise<void> =>
  withInvalidation(request(`${PATH}/`, { method: 'post', json }))

export const cancelEmailChange = (): Promise<void> => withInvalidation(request(`${PATH}/`, { method: 'delete' }))

const ANONYMOUS = { withoutBearer: true, keepsSession: true } as const
const linkPath = (token: string) => `email-changes/${encodeURIComponent(token)}/`

/** Loads what the emailed link would change; opening the link has no side effects. */
export const emailChangeLinkQuery = (token: string) =>
  queryOptions({
    queryKey: ['email-change', token] as const,
    queryFn: () => request(linkPath(token), { ...ANONYMOUS, schema: emailChangeLinkSchema }),
    ...ONE_SHOT_QUERY,
  })

/** Confirms the address that received the link; resolves to whether the change is now complete. */
export async function confirmEmailChange(token: string): Promise<boolean> {
  const path = `${linkPath(token)}confirm/`
  return (await request(path, { ...ANONYMOUS, method: 'post', schema: emailChangeConfirmedSchema })).is_done
}

export const cancelEmailChangeByLink = (token: string): Promise<undefined> =>
  request(`${linkPath(token)}stop/`, { ...ANONYMOUS, method: 'post' })
