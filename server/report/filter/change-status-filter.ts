import sql from 'sql-template-tag'
import type { ListFilterValue } from '#contract/report/report-param-kinds.ts'
import { CHANGE_STATUSES_BY_NUMBER, PROJECT_CHANGE_STATUS_NUMBER_SQL } from '#server/report/change-status-sql.ts'
import { PACKED_FACET_ROW_OFFSETS } from '#server/report/packed-row.ts'
import { toFacetOptions } from './facet-options.ts'
import { isOneOfSql, matchesList } from './list-filter.ts'
import type { ReportFilter } from './report-filter.ts'

const CODES: readonly (string | undefined)[] = CHANGE_STATUSES_BY_NUMBER
const toOptions = (counts: Uint32Array) => CODES.map((code, number) => [code, counts[number]!] as const)

export const CHANGE_STATUS_FILTER: ReportFilter<ListFilterValue> = {
  matches: matchesList((row) => row.change_status),
  condition: ({ values, negated }) =>
    isOneOfSql(
      sql`(${PROJECT_CHANGE_STATUS_NUMBER_SQL})`,
      sql`${values.map((code) => CODES.indexOf(code))}::int[]`,
      negated,
    ),
  mask: ({ values, negated }) => {
    const isSelected = Uint8Array.from(CODES, (code) => Number(values.includes(String(code)) !== negated))
    return ({ changes }) => changes.map((change) => isSelected[change]!)
  },
  facet: {
    part: 'options',
    countRows: ({ count }) =>
      toFacetOptions(toOptions(count(PACKED_FACET_ROW_OFFSETS.maskLow, CODES.length, { mask: 3 }))),
    countParts: (parts) => toFacetOptions(parts.flatMap(({ changes }) => toOptions(changes))),
  },
}
