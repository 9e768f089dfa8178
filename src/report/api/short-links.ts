import { formatReportSearch, type ReportSearch } from '#contract/report/report-params.ts'
import { shortLinkSchema, shortLinkSearchSchema } from '#contract/report/short-link.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { ONE_SHOT_QUERY_OPTIONS } from '#src/api/http/query-client.ts'

export async function createShortLink(search: ReportSearch): Promise<string> {
  const { code } = await sendApiRequest('short-links', {
    method: 'post',
    json: { search: formatReportSearch(search) },
    schema: shortLinkSchema,
    timeoutMs: 3_000,
  })
  return code
}

export const shortLinkSearchQuery = (code: string) =>
  apiQueryOptions('short-links/:code', {
    queryKey: ['short-links', code],
    params: { code },
    schema: shortLinkSearchSchema,
    ...ONE_SHOT_QUERY_OPTIONS,
    // Do not retry when the page mounts, because it shows the loader's error.
    retryOnMount: false,
    refetchOnWindowFocus: false,
  })
