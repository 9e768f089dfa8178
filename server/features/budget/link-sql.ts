import sql, { type Sql } from 'sql-template-tag'
import { SURE_LINK } from '#contract/budget/budget.ts'

/** Numbers of the states as the tables have them; the further, the larger. */
export const STATE_CODES = ['none', 'cancelled', 'draft', 'invited', 'awarded'] as const

/** What became of a project, as a number of `STATE_CODES`; alias `p`. */
export const PROJECT_STATE: Sql = sql`(case
  when p.status in ('project_cancelled', 'invitation_cancelled') then 1
  when p.status = 'contract_created' or p.winner_name is not null or p.movement in ('winner_announced', 'winner_amended', 'contract_created') then 4
  when p.bidding_invited_on is not null or p.movement in ('invited', 'invitation_amended', 'bids_closed', 'winner_cancelled') then 3
  else 2 end)::smallint`

/** Whether a link counts without anybody's decision; alias `l`. */
export const IS_SURE: Sql = sql`l.confidence >= ${SURE_LINK}::real`
/** Whether it waits for one. */
export const IS_GUESS: Sql = sql`(l.confidence > 0 and l.confidence < ${SURE_LINK}::real)`
/** True when a link counts for an organisation. `d` is the decision of the organisation; its columns are null when there is none. */
export const COUNTS: Sql = sql`coalesce(d.decision = 'confirmed', ${IS_SURE})`
