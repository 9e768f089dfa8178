import { queryOptions } from '@tanstack/react-query'
import {
  type NotMeReportResult,
  notMeReportInfoSchema,
  notMeReportResultSchema,
} from '#contract/account/second-factor.ts'
import { ANONYMOUS, sendApiRequest } from '#src/api/http/client.ts'
import { ONE_SHOT_QUERY_OPTIONS } from '#src/api/http/query-client.ts'

const linkPath = (token: string) => `auth/not-me/${encodeURIComponent(token)}/`

/** Loads what the "this was not me" link refers to; opening the link has no side effects. */
export const notMeLinkEmailQuery = (token: string) =>
  queryOptions({
    queryKey: ['not-me', token] as const,
    queryFn: async () => (await sendApiRequest(linkPath(token), { ...ANONYMOUS, schema: notMeReportInfoSchema })).email,
    ...ONE_SHOT_QUERY_OPTIONS,
  })

/**
 * Ends all sessions and removes whatever was added since the reported login; resolves to a list of what ended and the
 * token for setting a new password.
 */
export async function submitNotMeReport(token: string): Promise<NotMeReportResult> {
  return sendApiRequest(linkPath(token), { ...ANONYMOUS, method: 'post', schema: notMeReportResultSchema })
}
