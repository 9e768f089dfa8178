import type { DoubtCounts } from './queries-load.ts'

/** How far a load has come. `done` counts rows read, projects published, matched, worked out (comparable, what they say of companies), or companies counted; `total` is known once all rows were read. */
export type LoadProgress = {
  readonly phase: 'read' | 'publish' | 'match' | 'derive' | 'companies' | 'tidy'
  readonly done: number
  readonly total?: number | undefined
  readonly quarantined?: number
}

/** What became of a load. `read` = rows taken (`staged`) + `quarantined`. */
export type LoadReport = {
  readonly loadId: number
  readonly read: number
  readonly staged: number
  readonly quarantined: number
  /** Doubts of the rows taken, by kind. */
  readonly doubts: DoubtCounts
  /** 0, or the line after which an interrupted load went on. */
  readonly resumedAfterLine: number
  readonly newProjects: number
  readonly updatedProjects: number
  readonly unchangedProjects: number
  /** Match rows written, and exclusions, over all organisations. */
  readonly matched: number
  readonly excluded: number
  readonly seconds: number
}
