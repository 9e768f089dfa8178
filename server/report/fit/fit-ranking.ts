import type { FitEvidence, ProjectFit } from '#contract/matching/fit.ts'

/** The projects that can be acted on by how well they fit. The report shows all others after them, newest first. */
export type FitRanking = {
  readonly evidence: FitEvidence
  /** Score by project id, 0 to 10,000; undefined if there is not enough evidence. */
  readonly scores: ReadonlyMap<string, number> | undefined
  readonly explain: (projectId: string) => ProjectFit | undefined
}

export const FIT_FALLBACK_ORDERING = 'submission_end_date'

/** Formats the scores as a JSON object, in which PostgreSQL finds a key by binary search. */
export const formatFitOrder = (scores: ReadonlyMap<string, number>): string =>
  JSON.stringify(Object.fromEntries(scores))
