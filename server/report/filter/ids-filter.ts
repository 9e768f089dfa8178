import sql from 'sql-template-tag'
import type { ReportFilter } from './report-filter.ts'

export const PROJECT_IDS_FILTER: ReportFilter<readonly string[]> = {
  matches: (ids) => {
    const idSet = new Set(ids)
    return (row) => idSet.has(row.project_id)
  },
  condition: (ids) => sql`m.project_id = any (${[...ids]}::text[])`,
  mask: (ids) => (query) => query.flagProjects(ids),
  facet: null,
}
