import sql from 'sql-template-tag'
import type { MatchingProgress } from '#contract/keyword/keyword-impact.ts'
import type { Db } from '#server/engine/db.ts'
import { MATCH_JOB } from '#server/features/matching/match-requests.ts'

/**
 * How far the matching that changes of the organisation's lists asked for has come. What is under way is told first, then what waits, also
 * for another try; then what was given up; only an organisation with none of these is idle.
 */
export async function matchingProgress(db: Db, organisationId: number): Promise<MatchingProgress> {
  const [row] = await db.query<MatchingProgress>(sql`
    select
      case
        when bool_or(state = 'running') then 'running'
        when bool_or(state = 'waiting') then 'waiting'
        when bool_or(state = 'dead') then 'failed'
        else 'idle'
      end as state,
      coalesce(max((progress ->> 'done')::int) filter (where state = 'running'), 0) as done,
      coalesce(max((progress ->> 'total')::int) filter (where state = 'running'), 0) as total,
      max(finished_at) filter (where state = 'done') as finished_at
    from jobs where kind = ${MATCH_JOB.kind} and key = ${String(organisationId)}`)
  return row!
}
