import sql, { raw } from 'sql-template-tag'
import { REPORT_FACTS } from '#contract/catalogue/project-facts.ts'
import { PACKED_FACET_ROW_OFFSETS } from '#server/report/packed-row.ts'
import { toFacetOptions } from './facet-options.ts'
import type { ReportFilter, SharedFlag } from './report-filter.ts'

/** `shift` is the flag's bit in the packed provinces of the facet query. */
export function createFlagFilter(fact: SharedFlag, shift: number): ReportFilter<true> {
  return {
    matches: () => (row) => row[fact],
    condition: () => sql`m.${raw(REPORT_FACTS[fact].column)}`,
    mask: () => (query) => query.flagByKind(query.columns.kinds.flags[fact]),
    facet: {
      part: 'options',
      countRows: ({ count }) =>
        toFacetOptions([['true', count(PACKED_FACET_ROW_OFFSETS.provinces, 2, { shift, mask: 1 })[1]!]]),
      countParts: (parts, { columns }) => {
        const isSet = columns.kinds.flags[fact]
        let total = 0
        for (const part of parts) for (const [kind, count] of part.kinds) total += isSet[kind]! * count
        return toFacetOptions([['true', total]])
      },
    },
  }
}
