import { queryOptions } from '@tanstack/react-query'
import { formatReportSearch, type ReportSearch } from '#contract/report/report-params.ts'
import { shortLinkSchema, shortLinkSearchSchema } from '#contract/report/short-link.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { reportKeys } from '#src/api/http/keys.ts'
import { ONE_SHOT_QUERY_OPTIONS } from '#src/api/http/query-client.ts'

const MAX_WAIT_MS = 3_000

export async function createShortLink(search: ReportSearch): Promise<string> {
  const json = { search: formatReportSearch(search) }
  const { code } = await sendApiRequest('short-links', {
    method: 'post',
    json,
    schema: shortLinkSchema,
    timeoutMs: MAX_WAIT_MS,
  })
  return code
}

export const shortLinkSearchQuery = (code: string) =>
  queryOptions({
    queryKey: reportKeys.shortLink(code),
    queryFn: ({ signal }) =>
      sendApiRequest(`short-links/${encodeURIComponent(code)}`, { schema: shortLinkSearchSchema, signal }),
    ...ONE_SHOT_QUERY_OPTIONS,
    // The page shows the loader's error instead of retrying.
    retryOnMount: false,
    refetchOnWindowFocus: false,
  })
