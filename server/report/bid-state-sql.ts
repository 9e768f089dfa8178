import sql, { type Sql } from 'sql-template-tag'
import {
  AWARDED_PROJECT_MOVEMENTS,
  CLOSED_PROJECT_MOVEMENTS,
  CLOSING_SOON_DAYS,
  DRAFT_PROJECT_MOVEMENTS,
  INVITED_PROJECT_MOVEMENTS,
} from '#contract/catalogue/bid-state.ts'

/** SQL versions of the rules in contract/catalogue/bid-state.ts. `m` is `report_matches`. */

type DayScope = { readonly today: string }

/**
 * Returns ids of values in the match columns as an uncorrelated subquery, so PostgreSQL evaluates it once per
 * statement.
 */
export const projectMatchValueIdsSql = (kind: string, values: readonly string[]) =>
  sql`array(select v.id from match_values v where v.kind = ${kind}::text and v.value = any (${[...values]}::text[]))`

/** SQL version of the rule for `awarded` in `getBidState`. */
export const IS_AWARDED_SQL = sql`(m.winner_announced_on is not null or m.status = any (${projectMatchValueIdsSql('status', ['contract_created'])})
  or m.movement = any (${projectMatchValueIdsSql('movement', AWARDED_PROJECT_MOVEMENTS)}))`

const isAtStep = (movements: readonly string[]) =>
  sql`m.movement = any (${projectMatchValueIdsSql('movement', movements)})`

export const bidStateSql = ({ today }: DayScope) => sql`case
  when ${IS_AWARDED_SQL} then 'awarded'
  when m.status <> all (${projectMatchValueIdsSql('status', ['in_progress'])}) or ${isAtStep(CLOSED_PROJECT_MOVEMENTS)}
    or coalesce(m.submission_ends_on < ${today}::date, false) then 'closed'
  when ${isAtStep(INVITED_PROJECT_MOVEMENTS)} then 'open'
  when ${isAtStep(DRAFT_PROJECT_MOVEMENTS)} or coalesce(m.submission_ends_on, m.bidding_invited_on) is null then 'upcoming'
  else 'open' end`

const isNear = (column: Sql, { today }: DayScope) =>
  sql`${column} between ${today}::date and ${today}::date + ${CLOSING_SOON_DAYS}::int`

/**
 * SQL version of `getNearDeadlineKind`: a kind, or null. Tests the dates first, so that the bid state is computed only
 * for the few rows with a date nearby.
 */
export const nearDeadlineKindSql = (scope: DayScope) => sql`case
  when ${isNear(sql`m.submission_ends_on`, scope)} and (${bidStateSql(scope)}) = 'open' then 'closing'
  when ${isNear(sql`m.draft_discussion_ends_on`, scope)} and (${bidStateSql(scope)}) = 'upcoming' then 'comment' end`
