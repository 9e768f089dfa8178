import { splitSearchByReportTab } from '#contract/report/archived-scope.ts'
import type { MorningFigures } from '#contract/report/morning-queue.ts'
import { MAX_PROJECTS_PER_ACTION } from '#contract/report/project-targets.ts'
import type { AgencyOptions, ProjectSuggestion, ReportProjectIds } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import { toAgencyOptions } from './agency-options.ts'
import { chooseReportQueries, type ReportQuerySource } from './choose-report-queries.ts'
import { EXPORT_TIMEOUT } from './export-list-queries.ts'
import { parseReportQueryInput } from './report-input.ts'
import type {
  AnnouncedProjectOptions,
  AnnouncedProjects,
  ReportIds,
  ReportSearchCount,
  StoredMorningQueue,
} from './report-queries.ts'
import type { ReportScope } from './report-scope.ts'
import { loadProjectSuggestionsById, MAX_PROJECT_SUGGESTIONS } from './suggestion-queries.ts'
import { findPreviousReportVisit } from './visit-queries.ts'

/** Returns the first ids of a search in its order, at most `MAX_PROJECTS_PER_ACTION`, and the total. Ignores paging. */
export async function findReportProjectIds(
  source: ReportQuerySource,
  search: ReportSearch,
  scope: ReportScope,
): Promise<ReportProjectIds> {
  const { lists } = await chooseReportQueries(source).ids([search], scope, { limit: MAX_PROJECTS_PER_ACTION })
  return lists[0]!
}

export async function findReportAgencies(
  source: ReportQuerySource,
  search: ReportSearch,
  scope: ReportScope,
  text: string,
): Promise<AgencyOptions> {
  const name = 'project_agency__in'
  const units = await chooseReportQueries(source).agencyUnits(search, scope, name)
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
  const { lists } = await chooseReportQueries(source).ids(parts, scope, { limit: MAX_PROJECT_SUGGESTIONS })
  const ids = lists.flatMap((list) => list.ids)
  return await loadProjectSuggestionsById(source.db, ids, scope)
}

export async function findReportSearchCounts(
  source: ReportQuerySource,
  searches: readonly ReportSearch[],
  scope: ReportScope,
): Promise<ReportSearchCount[]> {
  return searches.length === 0 ? [] : await chooseReportQueries(source).counts(searches, scope)
}

export async function findMorningQueue(
  source: ReportQuerySource,
  search: ReportSearch,
  scope: ReportScope,
): Promise<StoredMorningQueue> {
  return await chooseReportQueries(source).queue(search, scope)
}

export async function findMorningFigures(
  source: ReportQuerySource,
  searches: readonly ReportSearch[],
  scope: ReportScope,
): Promise<MorningFigures> {
  if (searches.length === 0) return { new: 0, updated: 0, closing: 0, comment: 0 }
  return await chooseReportQueries(source).morningFigures(searches, scope)
}

export async function findProjectsPassingSearches(
  source: ReportQuerySource,
  searches: readonly ReportSearch[],
  scope: ReportScope,
  projectIds: readonly string[],
): Promise<string[][]> {
  if (searches.length === 0 || projectIds.length === 0) return searches.map(() => [])
  return await chooseReportQueries(source).passing(searches, scope, projectIds)
}

export async function findAnnouncedProjects(
  source: ReportQuerySource,
  searches: readonly ReportSearch[],
  scope: ReportScope,
  options: AnnouncedProjectOptions,
): Promise<AnnouncedProjects> {
  if (searches.length === 0 || options.loads.length === 0) {
    const none = { active: 0, archived: 0 }
    return { ids: [], bySearch: searches.map(() => none), together: none }
  }
  return await chooseReportQueries(source).announced(searches, scope, options)
}

/**
 * `at` is the time of the request. "Today" and "since my last visit" refer to that time, not to the time the export
 * runs.
 */
export type ExportScope = { readonly organisationId: number; readonly userId: number; readonly at: Date }

export type ExportList = {
  readonly ids: readonly string[]
  readonly found: number
  readonly load: number | null
  readonly dataTime: string | null
}

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
  const options = { limit, ...EXPORT_TIMEOUT }
  const { lists, load, dataTime }: ReportIds = await chooseReportQueries(source).ids([search], scope, options)
  const { ids, total } = lists[0]!
  return { ids, found: total, load, dataTime }
}
