import sql from 'sql-template-tag'
import { encodeProjectKey } from '#server/platform/text/project-key.ts'
import { flagMatchesByRow } from './flag-matches.ts'
import type { ReportFilter } from './report-filter.ts'

export const PROJECT_IDS_FILTER: ReportFilter<readonly string[]> = {
  matches: (ids) => {
    const idSet = new Set(ids)
    return (row) => idSet.has(row.project_id)
  },
  condition: (ids) => sql`m.project_id = any (${[...ids]}::text[])`,
  mask: (ids) => (query) => {
    const keys = new Set(ids.map(encodeProjectKey))
    const { keys: keyOf } = query.columns
    return flagMatchesByRow(query, (row) => keys.has(keyOf[row]!))
  },
  facet: null,
}
