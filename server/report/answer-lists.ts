import { MAX_PROJECTS_PER_ACTION } from '#contract/report/bookmark.ts'
import type { ProjectSuggestion, ReportProjectIds } from '#contract/report/report.ts'
import { searchesOfBothTabs } from '#contract/report/report-filter.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { bangkokToday } from '#contract/thai/thai-date.ts'
import type { ReportSource } from './answer.ts'
import { EXPORT_VERSION_COLUMNS, type ExportList, loadExportList } from './export-list-queries.ts'
import { loadPassingProjects } from './find-passing.ts'
import { countsFromMemory, firstIdsFromMemory, idsFromMemory, passingFromMemory } from './memory/lists-from-memory.ts'
import { queueFromMemory } from './memory/queue-from-memory.ts'
import type { ReportMemory } from './memory/report-memory.ts'
import { readAtSnapshot } from './memory/report-snapshot.ts'
import { loadMorningQueue, type StoredMorningQueue } from './morning-queue-queries.ts'
import type { ReportScope } from './queries.ts'
import { readReportInput } from './report-input.ts'
import { countSearches, type SearchCount } from './saved-filter-queries.ts'
import { loadProjectSuggestionsById, loadSuggestions, MAX_SUGGESTIONS } from './suggestion-queries.ts'
import { findPreviousVisit, loadReportIds } from './visit-queries.ts'

async function answerFromMemoryOrSql<T>(
  { memory }: ReportSource,
  fromMemory: (memory: ReportMemory) => Promise<T | undefined>,
  bySql: () => Promise<T>,
): Promise<T> {
  const remembered = memory && (await fromMemory(memory))
  memory?.recordHit(remembered ? 'memory' : 'sql')
  return remembered ?? (await bySql())
}

/** Returns the first ids of a search in its order, at most `MAX_PROJECTS_PER_ACTION`, and the total. Ignores paging. */
export async function findReportIds(
  source: ReportSource,
  search: ReportSearch,
  scope: ReportScope,
): Promise<ReportProjectIds> {
  const { ids, total } = await answerFromMemoryOrSql<ReportProjectIds>(
    source,
    (memory) => idsFromMemory(memory, search, scope, MAX_PROJECTS_PER_ACTION),
    () => loadReportIds(source.db, search, scope),
  )
  return { ids, total }
}

export async function findReportSuggestions(
  source: ReportSource,
  expression: string,
  scope: ReportScope,
): Promise<ProjectSuggestion[]> {
  const search: ReportSearch = { project_search__in: expression }
  const withHidden: readonly ReportSearch[] = [search, { ...search, project_hidden: true }]
  const parts = withHidden.flatMap(searchesOfBothTabs)
  return await answerFromMemoryOrSql(
    source,
    async (memory) => {
      const ids = await firstIdsFromMemory(memory, parts, scope, MAX_SUGGESTIONS)
      return ids && (await loadProjectSuggestionsById(source.db, ids.flat(), scope))
    },
    () => loadSuggestions(source.db, search, scope),
  )
}

export async function countReportSearches(
  source: ReportSource,
  searches: readonly ReportSearch[],
  scope: ReportScope,
): Promise<SearchCount[]> {
  if (searches.length === 0) return []
  return await answerFromMemoryOrSql(
    source,
    (memory) => countsFromMemory(memory, searches, scope),
    () => countSearches(source.db, searches, scope),
  )
}

export async function findMorningQueue(
  source: ReportSource,
  search: ReportSearch,
  scope: ReportScope,
): Promise<StoredMorningQueue> {
  return await answerFromMemoryOrSql(
    source,
    (memory) => queueFromMemory(source.db, memory, search, scope),
    () => loadMorningQueue(source.db, search, scope),
  )
}

export async function findPassingProjects(
  source: ReportSource,
  searches: readonly ReportSearch[],
  scope: ReportScope,
  projectIds: readonly string[],
): Promise<string[][]> {
  if (searches.length === 0 || projectIds.length === 0) return searches.map(() => [])
  return await answerFromMemoryOrSql(
    source,
    (memory) => passingFromMemory(memory, searches, scope, projectIds),
    () => loadPassingProjects(source.db, searches, scope, projectIds),
  )
}

/** `at` is the time of the request. "Today" and "since my last visit" refer to it, not to the time the export runs. */
export type ExportScope = { readonly organisationId: number; readonly userId: number; readonly at: Date }

export async function findExportList(
  source: ReportSource,
  query: Readonly<Record<string, string>>,
  { organisationId, userId, at }: ExportScope,
  limit: number,
): Promise<ExportList> {
  const { search } = readReportInput(query)
  const visit = await findPreviousVisit(source.db, userId, at)
  return await findProjectList(source, search, { organisationId, userId, today: bangkokToday(at), visit }, limit)
}

export async function findProjectList(
  source: ReportSource,
  search: ReportSearch,
  scope: ReportScope,
  limit: number,
): Promise<ExportList> {
  const { db } = source
  return await answerFromMemoryOrSql(
    source,
    async (memory) => {
      const matches = await idsFromMemory(memory, search, scope, limit)
      const extraColumns = { name: 'report_listed', columns: EXPORT_VERSION_COLUMNS }
      const loadInfo =
        matches && (await readAtSnapshot<Pick<ExportList, 'load' | 'dataTime'>>(db, scope, matches.at, extraColumns))
      return loadInfo && { ...loadInfo, ids: matches.ids, found: matches.total }
    },
    () => loadExportList(db, search, scope, limit),
  )
}
