import sql, { raw } from 'sql-template-tag'
import { REPORT_FACTS } from '#contract/catalogue/project-facts.ts'
import { forEachTallyEntry } from '#server/report/engine/count-project-facts.ts'
import { PROJECT_FACT_OFFSETS } from '#server/report/engine/project-columns.ts'
import type { SharedFlag } from '#server/report/engine/shared-values.ts'
import { PACKED_FACET_ROW_OFFSETS } from '#server/report/packed-row.ts'
import { toFacetOptions } from './facet-options.ts'
import { flagMatchesByFacts } from './flag-matches.ts'
import type { ReportFilter } from './report-filter.ts'

/** `shift` is the flag's bit in the packed provinces of the facet query. */
export function createFlagFilter(fact: SharedFlag, shift: number): ReportFilter<true> {
  return {
    matches: () => (row) => row[fact],
    condition: () => sql`m.${raw(REPORT_FACTS[fact].column)}`,
    mask: () => (query) => {
      const isSet = query.columns.kinds.flags[fact]
      return flagMatchesByFacts(query, (facts, at) => isSet[facts[at + PROJECT_FACT_OFFSETS.kind]!] === 1)
    },
    facet: {
      part: 'options',
      countRows: ({ count }) =>
        toFacetOptions([['true', count(PACKED_FACET_ROW_OFFSETS.provinces, 2, { shift, mask: 1 })[1]!]]),
      countParts: (parts, { columns }) => {
        const isSet = columns.kinds.flags[fact]
        let total = 0
        for (const part of parts)
          forEachTallyEntry(part.kinds, (kind, count) => {
            total += isSet[kind]! * count
          })
        return toFacetOptions([['true', total]])
      },
    },
  }
}
