import { queryOptions } from '@tanstack/react-query'
import { printReportSearch, type ReportSearch } from '#contract/report/report-params.ts'
import { linkedSearchSchema, shortLinkSchema } from '#contract/report/short-link.ts'
import { request } from '#src/api/http/client.ts'
import { reportKeys } from '#src/api/http/keys.ts'
import { ASKED_ONCE } from '#src/api/http/query-client.ts'

/** Maximum wait for a short link before the long one is copied. */
const PATIENCE_MS = 3_000

/** Returns the code of a search's short link, creating it if needed. Throws on timeout. */
export async function makeShortLink(search: ReportSearch): Promise<string> {
  const json = { search: printReportSearch(search) }
  const { code } = await request('short-links', {
    method: 'post',
    json,
    schema: shortLinkSchema,
    timeoutMs: PATIENCE_MS,
  })
  return code
}

export const linkedSearchQuery = (code: string) =>
  queryOptions({
    queryKey: reportKeys.shortLink(code),
    queryFn: ({ signal }) => request(`short-links/${encodeURIComponent(code)}`, { schema: linkedSearchSchema, signal }),
    ...ASKED_ONCE,
    // The page shows the loader's error instead of retrying.
    retryOnMount: false,
    refetchOnWindowFocus: false,
  })
