import { NEAR_DEADLINE_KINDS } from '#contract/catalogue/bid-state.ts'
import { MORNING_QUEUE_KINDS, type MorningFigures } from '#contract/report/morning-queue.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import type { ReportQuerySource } from '#server/report/choose-report-queries.ts'
import { findMorningQueue } from '#server/report/find-report-lists.ts'
import type { ReportScope } from '#server/report/report-scope.ts'
import { createSqlReportQueries } from '#server/report/sql/sql-report-queries.ts'

/**
 * Returns the figures of the morning queue for mails and messages. One search, the usual case, is a queue, which the
 * engine in memory can answer; several count each project once, by SQL.
 */
export async function findMorningFigures(
  source: ReportQuerySource,
  searches: readonly ReportSearch[],
  scope: ReportScope,
): Promise<MorningFigures> {
  const [search, ...others] = searches
  if (!search || others.length > 0) return await createSqlReportQueries(source.db).morningFigures(searches, scope)
  const { totals, near } = await findMorningQueue(source, search, scope)
  const nearKinds: readonly string[] = NEAR_DEADLINE_KINDS
  return Object.fromEntries(
    MORNING_QUEUE_KINDS.map((kind, i) => [kind, near[nearKinds.indexOf(kind)] ?? totals[i]]),
  ) as MorningFigures
}
