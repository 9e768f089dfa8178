import sql, { join } from 'sql-template-tag'
import { CONTRACT_END_PRESET_DAYS, MAX_CONTRACT_END_COUNT_DAYS } from '#contract/catalogue/contract-end.ts'
import { addDays } from '#contract/thai/thai-date.ts'
import { projectMatchValueIdsSql } from '#server/report/bid-state-sql.ts'
import {
  contractEndsWithinCondition,
  contractEndsWithinDaysSql,
  IS_ACTIVE_CONTRACT_SQL,
} from '#server/report/contract-ends-sql.ts'
import { toPackedDay } from '#server/report/packed-row.ts'
import type { ReportFilter } from './report-filter.ts'

/** Filter by the next end of a running contract, in days from today. */
export const CONTRACT_END_FILTER: ReportFilter<number> = {
  matches:
    (days) =>
    ({ contract_ends: contractEnds = [] }, { today }) =>
      contractEnds.some((end) => end >= today && end <= addDays(today, days)),
  condition: (days, { today }) =>
    sql`(m.status <> all (${projectMatchValueIdsSql('status', ['project_cancelled'])}) and m.project_id in (${contractEndsWithinDaysSql(days, today)}))`,
  mask: (days) => (query) => {
    const { contractEnds } = query.columns
    const today = toPackedDay(query.today)
    return query.flagByRow((row) => contractEnds.nextOf(row, today) <= today + days)
  },
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
    count: ({ ending: { query, passing } }) => {
      const { search, tab, columns } = query
      const { contractEnds, kind, kinds } = columns
      const today = toPackedDay(query.today)
      const daysLeft = Array.from(passing, (position) => tab.rows[position]!)
        .filter((row) => !search.is_archived || kinds.flags.is_archived[kind[row]!] === 1)
        .map((row) => contractEnds.nextOf(row, today) - today)
      return {
        options: CONTRACT_END_PRESET_DAYS.map((days) => ({
          value: String(days),
          count: daysLeft.filter((remaining) => remaining <= days).length,
        })),
      }
    },
  },
  widensTab: true,
}
