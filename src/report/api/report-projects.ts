import { queryOptions } from '@tanstack/react-query'
import { type ReportRow, reportPageSchema } from '#contract/report/report.ts'
import { parseReportSearch, printReportSearch, type ReportSearch } from '#contract/report/report-params.ts'
import { request } from '#src/api/http/client.ts'
import { reportKeys } from '#src/api/http/keys.ts'

/** Where a project of the report can stand; the first two hold nearly all. */
const PLACES: readonly ReportSearch[] = [
  {},
  { is_archived: true },
  { project_hidden: true },
  { is_archived: true, project_hidden: true },
]
/** Largest page of the report, and so the most ids of one call. */
const MOST_IDS = 100

/**
 * The rows of these projects whatever the filters, tab and hiding, in the order asked for; what is not in the organisation's
 * report is left out. At most a hundred.
 */
export async function findReportProjects(ids: readonly string[], signal?: AbortSignal): Promise<ReportRow[]> {
  // An address may hold anything; what cannot be an id is in no report, and the server would refuse the call.
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

/** One project of the report wherever it stands in it; null when it is in no part of it. */
export const reportProjectQuery = (id: string) =>
  queryOptions({
    queryKey: reportKeys.project(id),
    queryFn: async ({ signal }) => (await findReportProjects([id], signal))[0] ?? null,
    staleTime: 30_000,
  })
