import { splitSearchByReportTab } from '#contract/report/archived-scope.ts'
import { MAX_PROJECTS_PER_ACTION } from '#contract/report/project-targets.ts'
import type { AgencyOptions, ProjectSuggestion, ReportProjectIds } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import { toAgencyOptions } from './agency-options.ts'
import { getMorningQueueFromMemory } from './engine/morning-queue-from-memory.ts'
import type { ReportCache } from './engine/report-cache.ts'
import {
  countAgencyUnitsFromMemory,
  countReportSearchResultsFromMemory,
  findPassingProjectsFromMemory,
  getFirstReportIdsFromMemory,
  getReportIdsFromMemory,
} from './engine/report-lists-from-memory.ts'
import { readColumnsAtReportSnapshot } from './engine/report-snapshot.ts'
import { EXPORT_VERSION_COLUMNS_SQL, type ExportList, loadExportList } from './export-list-queries.ts'
import { loadAgencyUnitCounts } from './facet-queries.ts'
import type { ReportQuerySource } from './find-report-page.ts'
import { loadProjectsPassingSearches } from './load-projects-passing-searches.ts'
import { loadMorningQueue, type StoredMorningQueue } from './morning-queue-queries.ts'
import { parseReportQueryInput } from './report-input.ts'
import type { ReportScope } from './report-scope.ts'
import { countReportSearchResults, type ReportSearchCount } from './saved-filter-queries.ts'
import { loadProjectSuggestions, loadProjectSuggestionsById, MAX_PROJECT_SUGGESTIONS } from './suggestion-queries.ts'
import { findPreviousReportVisit, loadReportProjectIds } from './visit-queries.ts'

async function answerFromMemoryOrSql<T>(
  { memory }: ReportQuerySource,
  fromMemory: (memory: ReportCache) => Promise<T | undefined>,
  bySql: () => Promise<T>,
): Promise<T> {
  const remembered = memory && (await fromMemory(memory))
  memory?.recordHit(remembered ? 'memory' : 'sql')
  return remembered ?? (await bySql())
}

/** Returns the first ids of a search in its order, at most `MAX_PROJECTS_PER_ACTION`, and the total. Ignores paging. */
export async function findReportProjectIds(
  source: ReportQuerySource,
  search: ReportSearch,
  scope: ReportScope,
): Promise<ReportProjectIds> {
  const { ids, total } = await answerFromMemoryOrSql<ReportProjectIds>(
    source,
    (memory) => getReportIdsFromMemory(memory, search, scope, MAX_PROJECTS_PER_ACTION),
    () => loadReportProjectIds(source.db, search, scope),
  )
  return { ids, total }
}

/** Returns values of `project_agency__in` with their counts while all other filters apply (contract/report/report.ts). */
export async function findReportAgencies(
  source: ReportQuerySource,
  search: ReportSearch,
  scope: ReportScope,
  text: string,
): Promise<AgencyOptions> {
  const name = 'project_agency__in'
  const units = await answerFromMemoryOrSql(
    source,
    (memory) => countAgencyUnitsFromMemory(memory, search, scope, name),
    () => loadAgencyUnitCounts(source.db, search, scope, name),
  )
  return toAgencyOptions(units, { text, selected: search[name]?.values ?? [] })
}

export async function findReportSuggestions(
  source: ReportQuerySource,
  expression: string,
  scope: ReportScope,
): Promise<ProjectSuggestion[]> {
  const search: ReportSearch = { project_search__in: expression }
  const withHidden: readonly ReportSearch[] = [search, { ...search, project_hidden: true }]
  const parts = withHidden.flatMap(splitSearchByReportTab)
  return await answerFromMemoryOrSql(
    source,
    async (memory) => {
      const ids = await getFirstReportIdsFromMemory(memory, parts, scope, MAX_PROJECT_SUGGESTIONS)
      return ids && (await loadProjectSuggestionsById(source.db, ids.flat(), scope))
    },
    () => loadProjectSuggestions(source.db, search, scope),
  )
}

export async function findReportSearchCounts(
  source: ReportQuerySource,
  searches: readonly ReportSearch[],
  scope: ReportScope,
): Promise<ReportSearchCount[]> {
  if (searches.length === 0) return []
  return await answerFromMemoryOrSql(
    source,
    (memory) => countReportSearchResultsFromMemory(memory, searches, scope),
    () => countReportSearchResults(source.db, searches, scope),
  )
}

export async function findMorningQueue(
  source: ReportQuerySource,
  search: ReportSearch,
  scope: ReportScope,
): Promise<StoredMorningQueue> {
  return await answerFromMemoryOrSql(
    source,
    (memory) => getMorningQueueFromMemory(source.db, memory, search, scope),
    () => loadMorningQueue(source.db, search, scope),
  )
}

export async function findProjectsPassingSearches(
  source: ReportQuerySource,
  searches: readonly ReportSearch[],
  scope: ReportScope,
  projectIds: readonly string[],
): Promise<string[][]> {
  if (searches.length === 0 || projectIds.length === 0) return searches.map(() => [])
  return await answerFromMemoryOrSql(
    source,
    (memory) => findPassingProjectsFromMemory(memory, searches, scope, projectIds),
    () => loadProjectsPassingSearches(source.db, searches, scope, projectIds),
  )
}

/**
 * `at` is the time of the request. "Today" and "since my last visit" refer to that time, not to the time the export
 * runs.
 */
export type ExportScope = { readonly organisationId: number; readonly userId: number; readonly at: Date }

export async function findExportList(
  source: ReportQuerySource,
  query: Readonly<Record<string, string>>,
  { organisationId, userId, at }: ExportScope,
  limit: number,
): Promise<ExportList> {
  const { search } = parseReportQueryInput(query)
  const visit = await findPreviousReportVisit(source.db, userId, at)
  return await findProjectList(source, search, { organisationId, userId, today: getBangkokToday(at), visit }, limit)
}

export async function findProjectList(
  source: ReportQuerySource,
  search: ReportSearch,
  scope: ReportScope,
  limit: number,
): Promise<ExportList> {
  const { db } = source
  return await answerFromMemoryOrSql(
    source,
    async (memory) => {
      const matches = await getReportIdsFromMemory(memory, search, scope, limit)
      const extraColumns = { name: 'report_listed', columns: EXPORT_VERSION_COLUMNS_SQL }
      const loadInfo =
        matches &&
        (await readColumnsAtReportSnapshot<Pick<ExportList, 'load' | 'dataTime'>>(db, scope, matches.at, extraColumns))
      return loadInfo && { ...loadInfo, ids: matches.ids, found: matches.total }
    },
    () => loadExportList(db, search, scope, limit),
  )
}
