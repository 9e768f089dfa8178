import type { ReportSearch } from '#contract/report/report-params.ts'
import type { DeepResults, DocumentSearchResults } from '#server/report/deep/deep-hits.ts'
import type { Visit } from '#server/report/filter-sql.ts'
import type { ReportScope } from '#server/report/queries.ts'
import type { CachedTab } from './cached-matches.ts'
import { type DeepMatches, findDeepMatches } from './deep-matches.ts'
import type { MarkedPositions } from './mark-cache.ts'
import type { MatchTab } from './match-set.ts'
import type { CachedProjects } from './project-cache.ts'
import type { ProjectColumns } from './project-columns.ts'
import type { PursuedProject } from './pursuit-cache.ts'
import type { WordSets } from './word-sets.ts'

/** Input of `computeFailureMasks`. All positions refer to `tab`. */
export type MemoryQuery = {
  readonly search: ReportSearch
  readonly today: string
  readonly visit: Visit | undefined
  readonly columns: ProjectColumns
  readonly words: WordSets
  readonly tab: MatchTab
  readonly changes: Uint8Array
  readonly documents: DocumentSearchResults | undefined
  readonly deepMatches: DeepMatches | undefined
  readonly pursued: readonly PursuedProject[]
} & MarkedPositions

type QueryParts = {
  readonly projects: CachedProjects
  readonly cachedTab: CachedTab
  readonly positions: MarkedPositions
  readonly pursued: readonly PursuedProject[]
  readonly documents: DocumentSearchResults | undefined
  readonly deep: DeepResults | undefined
}

export function toMemoryQuery(search: ReportSearch, scope: ReportScope, parts: QueryParts): MemoryQuery {
  const { projects, cachedTab, positions, pursued, documents, deep } = parts
  const { columns, words } = projects
  const { tab, changes } = cachedTab
  const deepMatches = findDeepMatches(search, deep, { columns, tab })
  return {
    search,
    today: scope.today,
    visit: scope.visit,
    columns,
    words,
    tab,
    changes,
    pursued,
    documents,
    deepMatches,
    ...positions,
  }
}
