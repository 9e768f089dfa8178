import { queryOptions } from '@tanstack/react-query'
import { type NotMeDone, notMeDoneSchema, notMeSchema } from '#contract/account/second-factor.ts'
import { request } from '#src/api/http/client.ts'
import { ASKED_ONCE } from '#src/api/http/query-client.ts'

const ALONE = { withoutBearer: true, keepsSession: true } as const
const linkPath = (token: string) => `auth/not-me/${encodeURIComponent(token)}/`

/** Reading the link changes nothing. */
export const notMeQuery = (token: string) =>
  queryOptions({
    queryKey: ['not-me', token] as const,
    queryFn: async ({ signal }) => (await request(linkPath(token), { ...ALONE, schema: notMeSchema, signal })).email,
    ...ASKED_ONCE,
  })

/**
 * Ends all sessions and removes what was added since; resolves to what ended, with the token for setting a new
 * password.
 */
export async function reportNotMe(token: string): Promise<NotMeDone> {
  return request(linkPath(token), { ...ALONE, method: 'post', schema: notMeDoneSchema })
}
