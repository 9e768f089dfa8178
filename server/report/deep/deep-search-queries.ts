import sql, { empty, join, type Sql } from 'sql-template-tag'
import { LATEST_DATA_LOAD_ID_SQL } from '#server/matching/latest-loads.ts'
import { PROJECT_MATCH_JOB_TYPE } from '#server/matching/match-requests.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import type { SemanticSearchSubstrings } from './expand-semantic-search.ts'

const anyOf = (needles: readonly string[]): Sql =>
  needles.length === 0
    ? sql`false`
    : sql`(${join(
        needles.map((needle) => sql`strpos(t.name_search, ${needle}::text) > 0`),
        ' or ',
      )})`

/**
 * A statement of this size takes about 30 ms. The embedded database has a single session, so a longer statement would
 * block everyone else.
 */
const ROWS_PER_STATEMENT = 2_000

export type SemanticSearchCandidate = { readonly project_id: string; readonly name_search: string }

/**
 * Loads the active and archived matches whose name may be a hit, by a substring test without word boundaries. Reads in
 * slices so that other queries can run in between.
 */
export async function loadSemanticSearchCandidates(
  db: Db,
  organisationId: number,
  { standalone, sides }: SemanticSearchSubstrings,
): Promise<SemanticSearchCandidate[]> {
  const together = sides.length === 0 ? sql`false` : sql`(${join(sides.map(anyOf), ' and ')})`
  const borders = await db.query<{ project_id: string }>(sql`
    select n.project_id from (
      select m.project_id, row_number() over (order by m.project_id) as place
      from project_matches m where m.organisation_id = ${organisationId}::int
    ) n where n.place % ${ROWS_PER_STATEMENT}::int = 0 order by n.project_id`)
  const candidates: SemanticSearchCandidate[] = []
  let lowerBound = empty
  for (const border of [...borders, undefined]) {
    const upTo = border === undefined ? empty : sql`and m.project_id <= ${border.project_id}`
    const slice = await db.query<SemanticSearchCandidate>(sql`
      select m.project_id, t.name_search from project_matches m join project_texts t on t.filters_id = m.filters_id
      where m.organisation_id = ${organisationId}::int ${lowerBound} ${upTo} and (${anyOf(standalone)} or ${together})`)
    for (const candidate of slice) candidates.push(candidate)
    if (border !== undefined) lowerBound = sql`and m.project_id > ${border.project_id}`
    await yieldToEventLoop()
  }
  return candidates
}

export type OrganisationMatchState = {
  /**
   * Changes whenever the organisation's matches may have changed: after a load, a rule change or a finished rematch.
   */
  readonly version: string
  readonly isMatching: boolean
}

export async function loadOrganisationMatchState(db: Db, organisationId: number): Promise<OrganisationMatchState> {
  const [row] = await db.query<OrganisationMatchState>(sql`
    select
      concat_ws(' ', ${LATEST_DATA_LOAD_ID_SQL}, o.rules_version, count(j.id) filter (where j.state = 'done')) as version,
      coalesce(bool_or(j.state in ('waiting', 'running')), false) as "isMatching"
    from organisations o left join jobs j on j.kind = ${PROJECT_MATCH_JOB_TYPE.kind} and j.key = o.id::text
    where o.id = ${organisationId}::int group by o.id`)
  return row ?? { version: '', isMatching: false }
}
