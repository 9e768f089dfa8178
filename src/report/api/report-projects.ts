import { queryOptions } from '@tanstack/react-query'
import { type ReportRow, reportPageSchema } from '#contract/report/report.ts'
import { formatReportSearch, parseReportSearch, type ReportSearch } from '#contract/report/report-params.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { reportKeys } from '#src/api/http/keys.ts'

const SEARCH_SCOPES: readonly ReportSearch[] = [
  {},
  { is_archived: true },
  { project_hidden: true },
  { is_archived: true, project_hidden: true },
]
/** Maximum ids per call: the largest page size of the report. */
const MAX_IDS = 100

/** Ignores filters, scope and hiding. Projects outside the organisation's report are omitted. */
export async function findReportProjects(
  ids: readonly string[],
  { ordering, signal }: { readonly ordering?: string | undefined; readonly signal?: AbortSignal } = {},
): Promise<ReportRow[]> {
  // Ids come from the URL. An invalid id is in no report, and the server would reject the whole call.
  if (!parseReportSearch({ project_id__in: ids.join('||') }).search.project_id__in) return []
  const rowsById = new Map<string, ReportRow>()
  for (const scope of SEARCH_SCOPES) {
    const missing = ids.slice(0, MAX_IDS).filter((id) => !rowsById.has(id))
    if (missing.length === 0) break
    const query = formatReportSearch({
      ...scope,
      project_id__in: missing,
      page_size: MAX_IDS,
      ...(ordering === undefined ? {} : { ordering }),
    })
    const { results } = await sendApiRequest('projects', { query, schema: reportPageSchema, signal })
    for (const row of results) rowsById.set(row.project_id, row)
  }
  return ids.flatMap((id) => rowsById.get(id) ?? [])
}

export const reportProjectQuery = (id: string) =>
  queryOptions({
    queryKey: [...reportKeys.all, 'project', id],
    queryFn: async ({ signal }) => (await findReportProjects([id], { signal }))[0] ?? null,
    staleTime: 30_000,
  })
