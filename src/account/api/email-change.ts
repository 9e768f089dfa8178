import { queryOptions } from '@tanstack/react-query'
import {
  emailChangeConfirmedSchema,
  emailChangeLinkSchema,
  emailChangeSchema,
  type NewEmail,
} from '#contract/account/email-change.ts'
import { request } from '#src/api/http/client.ts'
import { ASKED_ONCE, queryClient } from '#src/api/http/query-client.ts'

const KEY = ['users', 'email-change'] as const
const PATH = 'users/me/email-change'

/** null when no change is pending. */
export const emailChangeQuery = queryOptions({
  queryKey: KEY,
  queryFn: async ({ signal }) => (await request(PATH, { schema: emailChangeSchema, signal })).change,
  staleTime: 10_000,
})

async function changing(work: Promise<undefined>): Promise<void> {
  try {
    await work
  } finally {
    await queryClient.invalidateQueries({ queryKey: KEY })
  }
}

/** Sends a confirmation mail to both addresses. Throws ProblemError at `email`. */
export const beginEmailChange = (json: NewEmail): Promise<void> =>
  changing(request(`${PATH}/`, { method: 'post', json }))

export const stopEmailChange = (): Promise<void> => changing(request(`${PATH}/`, { method: 'delete' }))

const ALONE = { withoutBearer: true, keepsSession: true } as const
const linkPath = (token: string) => `email-changes/${encodeURIComponent(token)}/`

/** Reading the link changes nothing. */
export const emailChangeLinkQuery = (token: string) =>
  queryOptions({
    queryKey: ['email-change', token] as const,
    queryFn: ({ signal }) => request(linkPath(token), { ...ALONE, schema: emailChangeLinkSchema, signal }),
    ...ASKED_ONCE,
  })

/** Confirms the address of the link; resolves to whether this completed the change. */
export async function confirmEmailChange(token: string): Promise<boolean> {
  const path = `${linkPath(token)}confirm/`
  return (await request(path, { ...ALONE, method: 'post', schema: emailChangeConfirmedSchema })).is_done
}

export const stopEmailChangeByLink = (token: string): Promise<undefined> =>
  request(`${linkPath(token)}stop/`, { ...ALONE, method: 'post' })
