import sql, { join, type Sql } from 'sql-template-tag'
import type { Db } from '#server/db/db.ts'
import { MATCH_JOB } from '#server/route/request-matching.ts'
import type { DeepNeedles } from './deep-terms.ts'
import { LATEST_LOAD } from './filter-sql.ts'

const anyOf = (needles: readonly string[]): Sql =>
  needles.length === 0
    ? sql`false`
    : sql`(${join(
        needles.map((needle) => sql`strpos(m.name_search, ${needle}::text) > 0`),
        ' or ',
      )})`

/** The organisation's matches, of both tabs, whose name may be a hit: in letters, without the rule of whole words. */
export async function loadDeepCandidates(
  db: Db,
  organisationId: number,
  { alone, sides }: DeepNeedles,
): Promise<{ project_id: string; name_search: string }[]> {
  const together = sides.length === 0 ? sql`false` : sql`(${join(sides.map(anyOf), ' and ')})`
  return db.query(sql`
    select m.project_id, m.name_search from project_matches m
    where m.organisation_id = ${organisationId}::int and (${anyOf(alone)} or ${together})`)
}

export type MatchState = {
  /** Changes whenever the organisation's matches may have: with a load, a change of its rules, and when matching them anew is done. */
  readonly version: string
  /** Rules are being matched anew, or wait for it. */
  readonly isMatching: boolean
}

export async function loadMatchState(db: Db, organisationId: number): Promise<MatchState> {
  const [row] = await db.query<MatchState>(sql`
    select
      concat_ws(' ', ${LATEST_LOAD}, o.rules_version, count(j.id) filter (where j.state = 'done')) as version,
      coalesce(bool_or(j.state in ('waiting', 'running')), false) as "isMatching"
    from organisations o left join jobs j on j.kind = ${MATCH_JOB.kind} and j.key = o.id::text
    where o.id = ${organisationId}::int group by o.id`)
  return row ?? { version: '', isMatching: false }
}
