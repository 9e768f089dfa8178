import {
  type IntrusionReportResult,
  intrusionReportLinkEmailSchema,
  intrusionReportResultSchema,
} from '#contract/account/second-factor.ts'
import { apiQueryOptions, MAILED_LINK_QUERY_OPTIONS } from '#src/api/http/api-query-options.ts'
import { postAnonymously } from '#src/api/http/client.ts'

export const intrusionReportLinkEmailQuery = (token: string) =>
  apiQueryOptions('auth/not-me/:token/', {
    queryKey: ['not-me', token],
    params: { token },
    schema: intrusionReportLinkEmailSchema,
    select: ({ email }) => email,
    ...MAILED_LINK_QUERY_OPTIONS,
  })

/**
 * Ends all sessions and removes everything added to the account since the reported login. Resolves to a list of what
 * ended and the token for setting a new password.
 */
export const submitIntrusionReport = (token: string): Promise<IntrusionReportResult> =>
  postAnonymously(`auth/not-me/${encodeURIComponent(token)}/`, { schema: intrusionReportResultSchema })
