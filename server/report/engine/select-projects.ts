import { splitSearchByReportTab } from '#contract/report/archived-scope.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import type { ReportScope } from '#server/report/report-scope.ts'
import type { ProjectColumns } from './project-columns.ts'
import type { PreparedReportQuery, ReportCache } from './report-cache.ts'

export type SelectedProjects = {
  /** All projects in memory. The same object until rows are renumbered; a load may append rows. */
  readonly projects: Pick<ProjectColumns, 'size' | 'keys' | 'rowOf'>
  /** Returns 1 for the row of each matching project, and their number. */
  flagRows(): Promise<{ readonly passing: Uint8Array; readonly count: number }>
  isCurrent(): boolean
}

/** Selects the projects of both tabs; with `isMarket` among all projects, of the archive only if the search says so. */
export async function selectProjects(
  cache: ReportCache,
  search: ReportSearch,
  { isMarket, ...scope }: ReportScope & { readonly isMarket: boolean },
): Promise<SelectedProjects | undefined> {
  const prepared = isMarket
    ? await cache.prepareMarket(search, scope)
    : await cache.prepareAll(splitSearchByReportTab(search), scope)
  if (!prepared) return undefined
  const projects = prepared[0]!.query.columns
  const requiredArchived = isMarket && search.is_archived ? 1 : undefined
  return {
    projects,
    flagRows: () => flagRows(prepared, projects, requiredArchived),
    isCurrent: () => prepared.every((preparedQuery) => preparedQuery.isCurrent()),
  }
}

async function flagRows(
  prepared: readonly PreparedReportQuery[],
  { size, kind, kinds }: ProjectColumns,
  requiredArchived: number | undefined,
) {
  const passing = new Uint8Array(size)
  let count = 0
  for (const { query, masks } of prepared) {
    const { passing: positions } = await masks()
    for (const position of positions) {
      const row = query.tab.rows[position]!
      if (requiredArchived !== undefined && kinds.flags.is_archived[kind[row]!] !== requiredArchived) continue
      passing[row] = 1
      count += 1
    }
  }
  return { passing, count }
}
