import { queryOptions } from '@tanstack/react-query'
import { type ReportRow, reportPageSchema } from '#contract/report/report.ts'
import { parseReportSearch, printReportSearch, type ReportSearch } from '#contract/report/report-params.ts'
import { request } from '#src/api/http/client.ts'
import { reportKeys } from '#src/api/http/keys.ts'

/** Report scopes to search for a project, most likely first. */
const PLACES: readonly ReportSearch[] = [
  {},
  { is_archived: true },
  { project_hidden: true },
  { is_archived: true, project_hidden: true },
]
/** Largest report page, and so the maximum ids per call. */
const MOST_IDS = 100

/**
 * Returns the rows of up to 100 projects in the given order, regardless of filters, tab and hiding. Projects outside
 * the organisation's report are omitted.
 */
export async function findReportProjects(ids: readonly string[], signal?: AbortSignal): Promise<ReportRow[]> {
  // Ids come from the address. An invalid one is in no report, and the server would reject the call.
  if (!parseReportSearch({ project_id__in: ids.join('||') }).search.project_id__in) return []
  const found = new Map<string, ReportRow>()
  for (const place of PLACES) {
    const missing = ids.slice(0, MOST_IDS).filter((id) => !found.has(id))
    if (missing.length === 0) break
    const query = printReportSearch({ ...place, project_id__in: missing, page_size: MOST_IDS })
    const { results } = await request('projects', { query, schema: reportPageSchema, signal })
    for (const row of results) found.set(row.project_id, row)
  }
  return ids.flatMap((id) => found.get(id) ?? [])
}

/** One project in any scope of the report; null if it is not in the report. */
export const reportProjectQuery = (id: string) =>
  queryOptions({
    queryKey: reportKeys.project(id),
    queryFn: async ({ signal }) => (await findReportProjects([id], signal))[0] ?? null,
    staleTime: 30_000,
  })
