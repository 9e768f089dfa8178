import type { ReportRow } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import type { Db } from '#server/engine/db.ts'

/** Whose report, on which ISO day in Bangkok, and what came since the user was last there. */
export type ReaderScope = {
  readonly organisationId: number
  readonly userId: number
  readonly today: string
  readonly visit?: { readonly endedAt: string; readonly loads: readonly number[] } | undefined
}

/** What a mail asks of the report, which is another feature: whoever puts a mail together hands it in. So both filter by the same code. */
export type ReportReader = {
  /** For each search the ids, of those given and in their order, that it finds. */
  findPassing(
    db: Db,
    searches: readonly ReportSearch[],
    scope: ReaderScope,
    projectIds: readonly string[],
  ): Promise<string[][]>
  loadRowsOf(db: Db, organisationId: number, projectIds: readonly string[]): Promise<ReadonlyMap<string, ReportRow>>
  previousVisit(db: Db, userId: number, now: Date): Promise<ReaderScope['visit']>
}
