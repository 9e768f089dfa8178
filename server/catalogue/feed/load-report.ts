import type { DataIssueCounts } from './load-queries.ts'

/**
 * Progress of a load. `done` counts rows read, projects published, matched or derived, or companies counted; `total` is
 * set once all rows are read.
 */
export type DataLoadProgress = {
  readonly phase: 'read' | 'publish' | 'match' | 'derive' | 'companies' | 'tidy'
  readonly done: number
  readonly total?: number | undefined
  readonly quarantined?: number
}

/** Result of a load; `read` = `staged` + `quarantined`. */
export type DataLoadReport = {
  readonly loadId: number
  readonly read: number
  readonly staged: number
  readonly quarantined: number
  readonly doubts: DataIssueCounts
  readonly resumedAfterLine: number
  readonly newProjects: number
  readonly updatedProjects: number
  readonly unchangedProjects: number
  readonly matched: number
  readonly excluded: number
  readonly seconds: number
}
