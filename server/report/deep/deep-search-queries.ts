import sql, { empty, join, type Sql } from 'sql-template-tag'
import { LATEST_LOAD } from '#server/matching/latest-loads.ts'
import { MATCH_JOB } from '#server/matching/match-requests.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import type { DeepNeedles } from './deep-terms.ts'

const anyOf = (needles: readonly string[]): Sql =>
  needles.length === 0
    ? sql`false`
    : sql`(${join(
        needles.map((needle) => sql`strpos(t.name_search, ${needle}::text) > 0`),
        ' or ',
      )})`

/** About 30 ms per statement, during which the embedded database (a single session) blocks everyone else. */
const ROWS_A_STATEMENT = 2_000

export type Candidate = { readonly project_id: string; readonly name_search: string }

/**
 * Matches of both tabs whose name may be a hit: substring test without word boundaries. Read in slices so that other
 * queries run in between.
 */
export async function loadDeepCandidates(
  db: Db,
  organisationId: number,
  { alone, sides }: DeepNeedles,
): Promise<Candidate[]> {
  const together = sides.length === 0 ? sql`false` : sql`(${join(sides.map(anyOf), ' and ')})`
  const borders = await db.query<{ project_id: string }>(sql`
    select n.project_id from (
      select m.project_id, row_number() over (order by m.project_id) as place
      from project_matches m where m.organisation_id = ${organisationId}::int
    ) n where n.place % ${ROWS_A_STATEMENT}::int = 0 order by n.project_id`)
  const found: Candidate[] = []
  let after = empty
  for (const border of [...borders, undefined]) {
    const upTo = border === undefined ? empty : sql`and m.project_id <= ${border.project_id}`
    const slice = await db.query<Candidate>(sql`
      select m.project_id, t.name_search from project_matches m join project_texts t on t.filters_id = m.filters_id
      where m.organisation_id = ${organisationId}::int ${after} ${upTo} and (${anyOf(alone)} or ${together})`)
    for (const candidate of slice) found.push(candidate)
    if (border !== undefined) after = sql`and m.project_id > ${border.project_id}`
    await yieldToEventLoop()
  }
  return found
}

export type MatchState = {
  /** Changes whenever the organisation's matches may have changed: on a load, a rule change, or a finished rematch. */
  readonly version: string
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
