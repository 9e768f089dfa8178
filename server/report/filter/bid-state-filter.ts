import sql from 'sql-template-tag'
import { BID_STATES, type BidState, getBidState } from '#contract/catalogue/bid-state.ts'
import type { ListFilterValue } from '#contract/report/report-param-kinds.ts'
import { bidStateSql } from '#server/report/bid-state-sql.ts'
import { PACKED_FACET_ROW_OFFSETS, toPackedDay, UNKNOWN_PACKED_DAY } from '#server/report/packed-row.ts'
import { toFacetOptions } from './facet-options.ts'
import { isOneOfSql } from './list-filter.ts'
import type { ReportFilter } from './report-filter.ts'

const toDay = (packed: number) => (packed === UNKNOWN_PACKED_DAY ? null : packed)

export const getBidStateInputFromPackedRow = (
  numbers: Int16Array,
  offset: number,
  values: ReadonlyMap<number, string>,
) => ({
  status: values.get(numbers[offset + PACKED_FACET_ROW_OFFSETS.status]!) ?? '',
  movement: values.get(numbers[offset + PACKED_FACET_ROW_OFFSETS.movement]!) ?? '',
  draft_discussion_end_date: toDay(numbers[offset + PACKED_FACET_ROW_OFFSETS.draft_discussion_end_date]!),
  bidding_invite_date: toDay(numbers[offset + PACKED_FACET_ROW_OFFSETS.bidding_invite_date]!),
  submission_end_date: toDay(numbers[offset + PACKED_FACET_ROW_OFFSETS.submission_end_date]!),
  winner_announce_date: toDay(numbers[offset + PACKED_FACET_ROW_OFFSETS.winner_announce_date]!),
})

export const BID_STATE_FILTER: ReportFilter<ListFilterValue> = {
  matches: ({ values, negated }) => {
    const states = new Set(values)
    return (row, { today }) => states.has(getBidState(row, today)) !== negated
  },
  condition: ({ values, negated }, scope) =>
    isOneOfSql(sql`(${bidStateSql(scope)})`, sql`${[...values]}::text[]`, negated),
  mask:
    ({ values, negated }) =>
    (query) => {
      const selected = new Set<string>(values)
      return query.flagByBidState((state) => selected.has(state) !== negated)
    },
  facet: {
    part: 'options',
    countRows: ({ values, today, forEachRow }) => {
      const counts = new Map<BidState, number>()
      const packedToday = toPackedDay(today)
      forEachRow((numbers, offset) => {
        const state = getBidState(getBidStateInputFromPackedRow(numbers, offset, values), packedToday)
        counts.set(state, (counts.get(state) ?? 0) + 1)
      })
      return toFacetOptions(counts)
    },
    countParts: (parts) =>
      toFacetOptions(parts.flatMap(({ bids }) => BID_STATES.map(({ code }, i) => [code, bids[i]!] as const))),
  },
}
