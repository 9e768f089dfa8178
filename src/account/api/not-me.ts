import { queryOptions } from '@tanstack/react-query'
import { type NotMeResult, notMeResultSchema, notMeSchema } from '#contract/account/second-factor.ts'
import { request } from '#src/api/http/client.ts'
import { ONE_SHOT_QUERY } from '#src/api/http/query-client.ts'

const ANONYMOUS = { withoutBearer: true, keepsSession: true } as const
const linkPath = (token: string) => `auth/not-me/${encodeURIComponent(token)}/`

/** Opening the link has no side effects. */
export const notMeQuery = (token: string) =>
  queryOptions({
    queryKey: ['not-me', token] as const,
    queryFn: async ({ signal }) =>
      (await request(linkPath(token), { ...ANONYMOUS, schema: notMeSchema, signal })).email,
    ...ONE_SHOT_QUERY,
  })

/**
 * Ends all sessions and removes what was added since; resolves to a list of what ended and the token for setting a new
 * password.
 */
export async function reportNotMe(token: string): Promise<NotMeResult> {
  return request(linkPath(token), { ...ANONYMOUS, method: 'post', schema: notMeResultSchema })
}
