import { queryOptions } from '@tanstack/react-query'
import { type NotMeResult, notMeInfoSchema, notMeResultSchema } from '#contract/account/second-factor.ts'
import { request } from '#src/api/http/client.ts'
import { ONE_SHOT_QUERY } from '#src/api/http/query-client.ts'

const ANONYMOUS = { withoutBearer: true, keepsSession: true } as const
const linkPath = (token: string) => `auth/not-me/${encodeURIComponent(token)}/`

/** Loads what the "this was not me" link refers to; opening the link has no side effects. */
export const notMeQuery = (token: string) =>
  queryOptions({
    queryKey: ['not-me', token] as const,
    queryFn: async () => (await request(linkPath(token), { ...ANONYMOUS, schema: notMeInfoSchema })).email,
    ...ONE_SHOT_QUERY,
  })

/**
 * Ends all sessions and removes whatever was added since the reported login; resolves to a list of what ended and the
 * token for setting a new password.
 */
export async function reportNotMe(token: string): Promise<NotMeResult> {
  return request(linkPath(token), { ...ANONYMOUS, method: 'post', schema: notMeResultSchema })
}
