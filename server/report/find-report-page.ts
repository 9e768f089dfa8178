import { getBudgetSliderMaxima } from '#contract/account/organisation.ts'
import type { FacetOption, ReportFacets } from '#contract/report/report.ts'
import { findReportParam, type ReportParamName, type ReportSearch } from '#contract/report/report-params.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { countFacets, type FacetCounts } from './count-facets.ts'
import type { ReportCache } from './engine/report-cache.ts'
import {
  getReportFacetsFromMemory,
  getReportPageFromMemory,
  type ReportPageResult,
} from './engine/report-from-memory.ts'
import type { ReportSnapshotScope } from './engine/report-snapshot.ts'
import {
  loadMarkFacetCounts,
  loadPackedFacetRows,
  loadProjectMatchValues,
  type MarkFacetCounts,
} from './facet-queries.ts'
import { MARK_FACETS } from './filter/report-filters.ts'
import { loadFilterToRelax } from './load-filter-to-relax.ts'
import { isReportTabEmpty } from './present-report-page.ts'
import { loadReportPage } from './queries.ts'
import type { ReportRowFileDetail } from './report-rows-sql.ts'
import type { ReportScope } from './report-scope.ts'
import { resolveReportSearchScope } from './with-resolved-searches.ts'

/**
 * Source that answers report queries: memory if it has the database's current snapshot, otherwise SQL, with the same
 * result.
 */
export type ReportQuerySource = { readonly db: Db; readonly memory?: ReportCache | undefined }

export async function findReportPage(
  { db, memory }: ReportQuerySource,
  search: ReportSearch,
  scope: ReportSnapshotScope,
  files: ReportRowFileDetail = 'listed',
): Promise<ReportPageResult> {
  const remembered = memory && (await getReportPageFromMemory(db, memory, search, scope, files))
  memory?.recordHit(remembered ? 'memory' : 'sql')
  if (remembered) return remembered
  const stored = await loadReportPage(db, search, scope, files)
  const isRelaxed = stored.total === 0 && !isReportTabEmpty(stored)
  return { stored, filterToRelax: isRelaxed ? await loadFilterToRelax(db, search, scope) : undefined }
}

export async function findReportFacets(
  { db, memory }: ReportQuerySource,
  search: ReportSearch,
  scope: ReportSnapshotScope,
): Promise<ReportFacets> {
  const remembered = memory && (await getReportFacetsFromMemory(memory, search, scope))
  memory?.recordHit(remembered ? 'memory' : 'sql')
  if (remembered) return presentFacets(remembered.counts, remembered.marks)
  return await loadReportFacets(db, search, scope)
}

export async function loadReportFacets(db: Db, search: ReportSearch, requestScope: ReportScope): Promise<ReportFacets> {
  const scope = await resolveReportSearchScope(db, [search], requestScope, { hasFacets: true })
  const [packed, marks] = await Promise.all([
    loadPackedFacetRows(db, search, scope),
    loadMarkFacetCounts(db, search, scope),
  ])
  // Load the values after the rows, so that every value id in a row can be resolved.
  return presentFacets(countFacets(packed, await loadProjectMatchValues(db), scope), marks)
}

const nonEmpty = (options: readonly FacetOption[]) => options.filter((option) => option.count > 0)

function presentFacets(counts: FacetCounts, { marks, max_budget }: MarkFacetCounts): ReportFacets {
  const ceilings = getBudgetSliderMaxima(max_budget ?? '0')
  const maxOf = (name: ReportParamName) => ceilings[findReportParam(name).ceiling ?? 'otherBudgets']
  const markOptions = MARK_FACETS.map(({ name, facet: { unmarkedValue } }) => {
    const { options, marked = 0 } = marks[name]!
    const unmarked =
      unmarkedValue === undefined ? [] : [{ value: unmarkedValue, count: counts.passingBut[name]! - marked }]
    return [name, nonEmpty([...options, ...unmarked])] as const
  })
  return {
    options: { ...counts.options, ...Object.fromEntries(markOptions) },
    money: Object.fromEntries(
      Object.entries(counts.bins).map(([name, bins]) => [name, { max: maxOf(name as ReportParamName), bins }]),
    ),
    dates: counts.dates,
    due: counts.due,
  }
}
