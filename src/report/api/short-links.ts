import { queryOptions } from '@tanstack/react-query'
import { printReportSearch, type ReportSearch } from '#contract/report/report-params.ts'
import { linkedSearchSchema, shortLinkSchema } from '#contract/report/short-link.ts'
import { request } from '#src/api/http/client.ts'
import { reportKeys } from '#src/api/http/keys.ts'
import { ASKED_ONCE } from '#src/api/http/query-client.ts'

/** Who copies a link waits for it; after this long they get the long one. */
const PATIENCE_MS = 3_000

/** Makes the short link of a search, or finds the one it has; the code. Throws when there is no answer in time. */
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

/** The search behind a short link. */
export const linkedSearchQuery = (code: string) =>
  queryOptions({
    queryKey: reportKeys.shortLink(code),
    queryFn: ({ signal }) => request(`short-links/${encodeURIComponent(code)}`, { schema: linkedSearchSchema, signal }),
    ...ASKED_ONCE,
    // The page tells what the loader was answered.
    retryOnMount: false,
    refetchOnWindowFocus: false,
  })
