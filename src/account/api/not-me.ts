import {
  type IntrusionReportResult,
  intrusionReportLinkEmailSchema,
  intrusionReportResultSchema,
} from '#contract/account/second-factor.ts'
import { apiQueryOptions, MAILED_LINK_QUERY_OPTIONS } from '#src/api/http/api-query-options.ts'
import { ANONYMOUS_REQUEST_OPTIONS, sendApiRequest } from '#src/api/http/client.ts'

const linkPath = (token: string) => `auth/not-me/${encodeURIComponent(token)}/`

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
export async function submitIntrusionReport(token: string): Promise<IntrusionReportResult> {
  return sendApiRequest(linkPath(token), {
    ...ANONYMOUS_REQUEST_OPTIONS,
    method: 'post',
    schema: intrusionReportResultSchema,
  })
}
