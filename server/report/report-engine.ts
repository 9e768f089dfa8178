import type { Db } from '#server/platform/engine/db.ts'
import { createReportMemory, type ReportMemory } from './engine/report-memory.ts'
import { REPORT_FILTER_SET } from './filter/report-filters.ts'
import type { ReportEngine } from './report-queries.ts'
import { createSqlReportEngine } from './sql/sql-report-engine.ts'

export type { ReportMemory }

export const openReportMemory = (db: Db, { megabytes }: { readonly megabytes: number }): ReportMemory =>
  createReportMemory(db, { megabytes, filters: REPORT_FILTER_SET })

const NO_PROJECTS = { ids: [], total: 0, new: 0, archived: 0 }

/** The only place that decides which implementation answers: memory if it has the database's current snapshot. */
export function createReportEngine(db: Db, memory?: ReportMemory): ReportEngine {
  const sql = createSqlReportEngine(db)
  const firstOf =
    <Input extends unknown[], Answer>(
      fromMemory: ((...input: Input) => Promise<Answer | undefined>) | undefined,
      bySql: (...input: Input) => Promise<Answer>,
    ) =>
    async (...input: Input): Promise<Answer> =>
      (await fromMemory?.(...input)) ?? (await bySql(...input))
  const ids = firstOf(memory?.answers.ids, sql.ids)
  const figures = firstOf(memory?.answers.figures, sql.figures)
  return {
    page: firstOf(memory?.answers.page, sql.page),
    facets: firstOf(memory?.answers.facets, sql.facets),
    agencies: firstOf(memory?.answers.agencies, sql.agencies),
    queue: firstOf(memory?.answers.queue, sql.queue),
    async ids(searches, scope, options) {
      const finds = searches.length > 0 && options.among?.length !== 0 && options.announcedIn?.length !== 0
      if (finds) return await ids(searches, scope, options)
      return { lists: searches.map(() => NO_PROJECTS), together: NO_PROJECTS, load: null, dataTime: null }
    },
    async figures(searches, scope) {
      return searches.length === 0 ? { new: 0, updated: 0, closing: 0, comment: 0 } : await figures(searches, scope)
    },
  }
}
