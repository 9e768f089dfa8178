import type { ReportSearch } from '#contract/report/report-params.ts'
import type { DeepResults, DocumentHolders } from '#server/report/deep/deep-hits.ts'
import type { Visit } from '#server/report/filter-sql.ts'
import type { ReportScope } from '#server/report/queries.ts'
import type { HeldTab } from './held-matches.ts'
import type { HeldProjects } from './held-projects.ts'
import type { MarkedPlaces } from './kept-marks.ts'
import type { Pursued } from './kept-pursuits.ts'
import type { MatchTab } from './match-set.ts'
import { type Meant, meantIn } from './meant.ts'
import type { ProjectColumns } from './project-columns.ts'
import type { WordSets } from './word-sets.ts'

/** Input of `failureMasks`. All places refer to `tab`. */
export type Question = {
  readonly search: ReportSearch
  readonly today: string
  readonly visit: Visit | undefined
  readonly columns: ProjectColumns
  readonly words: WordSets
  readonly tab: MatchTab
  /** `CHANGE_CODES` of each match relative to the latest load. */
  readonly changes: Uint8Array
  /** Projects whose documents contain the searched terms; undefined if the search has none. */
  readonly documents: DocumentHolders | undefined
  readonly meant: Meant | undefined
  /** Empty if the search does not use team data. */
  readonly pursued: readonly Pursued[]
} & MarkedPlaces

type Parts = {
  readonly projects: HeldProjects
  readonly held: HeldTab
  readonly places: MarkedPlaces
  readonly pursued: readonly Pursued[]
  readonly documents: DocumentHolders | undefined
  readonly deep: DeepResults | undefined
}

export function questionOf(search: ReportSearch, scope: ReportScope, parts: Parts): Question {
  const { projects, held, places, pursued, documents, deep } = parts
  const { columns, words } = projects
  const { tab, changes } = held
  const meant = meantIn(search, deep, { columns, tab })
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
    meant,
    ...places,
  }
}
