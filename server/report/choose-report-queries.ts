import type { Db } from '#server/platform/engine/db.ts'
import { createReportEngine, type ReportEngine } from './engine/report-engine.ts'
import { REPORT_FILTER_SET } from './filter/report-filters.ts'
import type { ReportQueries } from './report-queries.ts'
import { createSqlReportQueries } from './sql/sql-report-queries.ts'

/** Where report queries are answered: in memory if it has the database's current snapshot, otherwise by SQL. */
export type ReportQuerySource = { readonly db: Db; readonly memory?: ReportEngine | undefined }

export const openReportMemory = (db: Db, { megabytes }: { readonly megabytes: number }): ReportEngine =>
  createReportEngine(db, { megabytes, filters: REPORT_FILTER_SET })

/**
 * Returns the answer from memory or, if that is undefined because memory does not have the database's current data, the
 * one by SQL.
 */
export async function answerFromMemoryOrSql<Answer>(
  fromMemory: () => Promise<Answer | undefined>,
  bySql: () => Promise<Answer>,
  recordHit?: (source: 'memory' | 'sql') => void,
): Promise<Answer> {
  const answer = await fromMemory()
  recordHit?.(answer === undefined ? 'sql' : 'memory')
  return answer ?? (await bySql())
}

export function chooseReportQueries({ db, memory }: ReportQuerySource): ReportQueries {
  const sql = createSqlReportQueries(db)
  if (!memory) return sql
  const inMemory = memory.queries(db)
  const firstOf =
    <Input extends unknown[], Output>(
      fromMemory: (...input: Input) => Promise<Output | undefined>,
      bySql: (...input: Input) => Promise<Output>,
    ) =>
    (...input: Input): Promise<Output> =>
      answerFromMemoryOrSql(
        () => fromMemory(...input),
        () => bySql(...input),
        memory.recordHit,
      )
  return {
    page: firstOf(inMemory.page, sql.page),
    facets: firstOf(inMemory.facets, sql.facets),
    ids: firstOf(inMemory.ids, sql.ids),
    counts: firstOf(inMemory.counts, sql.counts),
    passing: firstOf(inMemory.passing, sql.passing),
    announced: firstOf(inMemory.announced, sql.announced),
    agencyUnits: firstOf(inMemory.agencyUnits, sql.agencyUnits),
    queue: firstOf(inMemory.queue, sql.queue),
    morningFigures: firstOf(inMemory.morningFigures, sql.morningFigures),
  }
}
