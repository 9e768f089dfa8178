import sql, { join } from 'sql-template-tag'
import { getBidState } from '#contract/catalogue/bid-state.ts'
import { CONTRACT_END_PRESET_DAYS, MAX_CONTRACT_END_COUNT_DAYS } from '#contract/catalogue/contract-end.ts'
import type { ListFilterValue } from '#contract/report/report-param-kinds.ts'
import { addDays } from '#contract/thai/thai-date.ts'
import { bidStateSql, projectMatchValueIdsSql } from '#server/report/bid-state-sql.ts'
import {
  CHANGE_STATUSES_BY_NUMBER,
  changedSinceLastVisitCondition,
  PROJECT_CHANGE_STATUS_NUMBER_SQL,
} from '#server/report/change-status-sql.ts'
import {
  contractEndsWithinCondition,
  contractEndsWithinDaysSql,
  IS_ACTIVE_CONTRACT_SQL,
} from '#server/report/contract-ends-sql.ts'
import { type MarkFacet, type OptionFacet, type ReportFilter, toFacetOptions } from '#server/report/report-filter.ts'
import { isOneOfSql, matchesList } from './fact-filters.ts'

export const BID_STATE_FILTER: ReportFilter<ListFilterValue, OptionFacet> = {
  matches: ({ values, negated }) => {
    const states = new Set(values)
    return (row, { today }) => states.has(getBidState(row, today)) !== negated
  },
  condition: ({ values, negated }, scope) =>
    isOneOfSql(sql`(${bidStateSql(scope)})`, sql`${[...values]}::text[]`, negated),
  mask: ({ values, negated }) => {
    const selected = new Set<string>(values)
    return (matches) => matches.flagByBidState((state) => selected.has(state) !== negated)
  },
  facet: { part: 'options', count: (facts) => toFacetOptions(facts.countBidStates()) },
}

const CHANGE_CODES: readonly (string | undefined)[] = CHANGE_STATUSES_BY_NUMBER

export const CHANGE_STATUS_FILTER: ReportFilter<ListFilterValue, OptionFacet> = {
  matches: matchesList((row) => row.change_status),
  condition: ({ values, negated }) =>
    isOneOfSql(
      sql`(${PROJECT_CHANGE_STATUS_NUMBER_SQL})`,
      sql`${values.map((code) => CHANGE_CODES.indexOf(code))}::int[]`,
      negated,
    ),
  mask: ({ values, negated }) => {
    const isSelected = Uint8Array.from(CHANGE_CODES, (code) => Number(values.includes(String(code)) !== negated))
    return ({ changes }) => changes.map((change) => isSelected[change]!)
  },
  facet: {
    part: 'options',
    count: (facts) => {
      const counts = facts.countChanges()
      return toFacetOptions(CHANGE_CODES.map((code, number) => [code, counts[number]!] as const))
    },
  },
}

export const CHANGED_SINCE_VISIT_FILTER: ReportFilter<true> = {
  matches:
    () =>
    (row, { sinceVisit }) =>
      sinceVisit.has(row.project_id),
  condition: (_, scope) => changedSinceLastVisitCondition(scope),
  mask: () => (matches) => matches.flagChangedSinceVisit(),
  facet: null,
  countsSinceVisit: true,
}

/** Filter by the next end of a running contract, in days from today. */
export const CONTRACT_END_FILTER: ReportFilter<number, MarkFacet> = {
  matches:
    (days) =>
    ({ contract_ends: contractEnds = [] }, { today }) =>
      contractEnds.some((end) => end >= today && end <= addDays(today, days)),
  condition: (days, { today }) =>
    sql`(m.status <> all (${projectMatchValueIdsSql('status', ['project_cancelled'])}) and m.project_id in (${contractEndsWithinDaysSql(days, today)}))`,
  mask: (days) => (matches) => matches.flagByContractEnd(days),
  facet: {
    part: 'marks',
    countSql: ({ scope: { today }, search, coveredBy, otherFilters }) => {
      const counts = CONTRACT_END_PRESET_DAYS.map(
        (days) =>
          sql`json_build_object('value', ${String(days)}::text, 'count', count(*) filter (where e.days <= ${days}::int))`,
      )
      return sql`(select json_build_object('options', json_build_array(${join(counts)})) from (
        select min(c.ends_on) - ${today}::date as days from contracts c
        join report_matches m on m.project_id = c.project_id
        join projects p on p.project_id = c.project_id and p.status <> 'project_cancelled'
        where ${IS_ACTIVE_CONTRACT_SQL} and ${contractEndsWithinCondition(MAX_CONTRACT_END_COUNT_DAYS, today)}
          and ${coveredBy({ ...search, ends_within: MAX_CONTRACT_END_COUNT_DAYS })} and ${otherFilters} group by c.project_id
      ) e)`
    },
    count: ({ daysUntilContractEnds }) => ({
      options: CONTRACT_END_PRESET_DAYS.map((days) => ({
        value: String(days),
        count: daysUntilContractEnds.filter((remaining) => remaining <= days).length,
      })),
    }),
  },
  widensTab: true,
}
