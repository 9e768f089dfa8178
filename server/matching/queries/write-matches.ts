import sql, { empty, raw, type Sql } from 'sql-template-tag'
import { MATCH_ROWS_PER_STATEMENT, type MatchVerdict } from '#server/matching/queries.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { toPostgresArrayLiteral } from '#server/platform/engine/postgres-values.ts'
import { splitIntoSlices, suppressUnhandledRejection } from '#server/platform/engine/process-in-batches.ts'

export type ProjectMatchSearchTexts = {
  readonly project_id: string
  readonly dept_search: string
  readonly dept_spaced: string
  readonly winner_search: string | null
  readonly winner_spaced: string | null
}

const COPIED_COLUMNS = sql`written_load, department_id, is_archived, is_sme, project_province, budget_satang, estimate_satang, winner_satang, movement_on,
  draft_published_on, draft_discussion_ends_on, bidding_invited_on, submission_ends_on, winner_announced_on`
const VALUE_COLUMNS = sql`status, movement, criteria, method, method_type`

/**
 * Ids of `match_words` by the list of reasons, cached for one transaction under the matching lock. Equal matches share
 * the list object (`MatchSummaryPool`), so no texts are compared: 4.4 million matches had 269,000 distinct reasons.
 */
export type MatchReasonIdCache = Map<MatchVerdict['reasons'], number>
const MAX_CACHED_WORD_IDS = 400_000

/** Matches per statement. Fewer on the embedded database, where each statement blocks all other queries. */
const MATCHES_PER_STATEMENT = { postgres: 10_000, pglite: MATCH_ROWS_PER_STATEMENT } as const

type UpsertOptions = {
  readonly shouldRewriteFilters?: boolean
  readonly areValuesStored?: boolean
  readonly wordIds?: MatchReasonIdCache
  readonly distinctMatches?: readonly MatchVerdict[]
  /**
   * Returns false for matches that certainly have no row yet: inserting without a conflict check takes two thirds of
   * the time, but fails if a row exists. By default any match may have a row.
   */
  readonly hasRow?: (match: MatchVerdict) => boolean
}

/**
 * Writes matches and, once per project, its filter columns if they are older than the project's last load. A new row
 * gets the load that created the project, so that a new word makes no project New. A row is marked as changed in
 * `loadId` if that load changed a tracked field (D3). Unchanged rows are not written. Call under the matching lock;
 * fastest if matches are grouped by organisation, in index order.
 */
export async function upsertProjectMatches(
  tx: Db,
  loadId: number,
  matches: readonly MatchVerdict[],
  textsOf: (projectId: string) => ProjectMatchSearchTexts,
  {
    shouldRewriteFilters = false,
    areValuesStored = false,
    wordIds = new Map(),
    hasRow = () => true,
    distinctMatches = dedupeMatchesByReasons(matches),
  }: UpsertOptions = {},
): Promise<void> {
  for (const projectIds of splitIntoSlices(
    [...new Set(matches.map((match) => match.project_id))],
    MATCH_ROWS_PER_STATEMENT,
  )) {
    const stale = shouldRewriteFilters ? projectIds : await findStaleFilters(tx, projectIds)
    if (stale.length === 0) continue
    if (!areValuesStored) await assignValueIds(tx, stale)
    await writeFilters(tx, stale.map(textsOf))
  }
  await cacheWordIds(tx, distinctMatches, wordIds)
  let [previous, writing]: Promise<unknown>[] = [Promise.resolve(), Promise.resolve()]
  for (const slice of splitIntoSlices(matches, MATCHES_PER_STATEMENT[tx.engine]))
    for (const { kind, of } of groupByKind(slice, hasRow)) {
      if (of.length === 0) continue
      const statement = insertStatement(loadId, of, { wordIds, kind })
      // Queue one statement behind the running one, so that the database does not wait for this process.
      await previous
      previous = writing
      writing = suppressUnhandledRejection(tx.execute(statement))
    }
  await previous
  await writing
}

/** Returns projects whose `project_filters` row is missing or outdated: loads update it only for matched projects. */
async function findStaleFilters(tx: Db, projectIds: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ project_id: string }>(sql`
    select p.project_id from projects p
    where p.project_id = any (${[...projectIds]}::text[]) and not exists (
      select from project_filters f where f.project_id = p.project_id and f.written_load = p.written_load)`)
  return rows.map((row) => row.project_id)
}

/**
 * Assigns ids to new values. Selects before inserting, because even a conflicting insert consumes one of the 32,767
 * ids.
 */
async function assignValueIds(tx: Db, projectIds: readonly string[]): Promise<void> {
  await tx.execute(sql`
    insert into match_values (kind, value)
    select v.kind, v.value
    from projects p
    cross join lateral (values ('status', p.status), ('movement', p.movement), ('criteria', p.criteria), ('method', p.method), ('method_type', p.method_type)) v (kind, value)
    where p.project_id = any (${[...projectIds]}::text[])
    except select kind, value from match_values`)
}

type ProjectValues = Readonly<Record<'status' | 'movement' | 'criteria' | 'method' | 'method_type', string>>
const VALUE_KINDS = ['status', 'movement', 'criteria', 'method', 'method_type'] as const

/** Assigns ids to values that are not in `stored`, in a separate transaction, and adds them to `stored`. */
export async function internProjectFieldValues(
  db: Db,
  projects: readonly ProjectValues[],
  stored: Set<string>,
): Promise<void> {
  const fresh = new Map<string, { readonly kind: string; readonly value: string }>()
  for (const project of projects)
    for (const kind of VALUE_KINDS) {
      const key = `${kind}\n${project[kind]}`
      if (!stored.has(key)) fresh.set(key, { kind, value: project[kind] })
    }
  if (fresh.size === 0) return
  const values = [...fresh.values()]
  await db.execute(sql`
    insert into match_values (kind, value)
    select v.kind, v.value from unnest(${values.map(({ kind }) => kind)}::text[], ${values.map(({ value }) => value)}::text[]) as v (kind, value)
    where not exists (select from match_values m where m.kind = v.kind and m.value = v.value)
    order by v.kind, v.value on conflict do nothing`)
  for (const key of fresh.keys()) stored.add(key)
}

async function writeFilters(tx: Db, texts: readonly ProjectMatchSearchTexts[]): Promise<void> {
  await tx.execute(sql`
    with given as materialized (
      select t.*, p.department_id, p.name_search
      from jsonb_to_recordset(${JSON.stringify(texts)}::jsonb)
        as t (project_id text, dept_search text, dept_spaced text, winner_search text, winner_spaced text)
      join projects p on p.project_id = t.project_id
    ),
    of_departments as (
      insert into department_texts (department_id, dept_search, dept_spaced)
      select distinct on (g.department_id) g.department_id, g.dept_search, g.dept_spaced from given g order by g.department_id
      on conflict (department_id) do update set dept_search = excluded.dept_search, dept_spaced = excluded.dept_spaced
        where (department_texts.dept_search, department_texts.dept_spaced) is distinct from (excluded.dept_search, excluded.dept_spaced)
    ),
    filters as (
      insert into project_filters (project_id, ${COPIED_COLUMNS}, ${VALUE_COLUMNS}, dept_province)
      select p.project_id, ${ofProject(COPIED_COLUMNS)}, v1.id, v2.id, v3.id, v4.id, v5.id, d.province
      from given g
      join projects p on p.project_id = g.project_id
      join departments d on d.id = p.department_id
      join match_values v1 on v1.kind = 'status' and v1.value = p.status
      join match_values v2 on v2.kind = 'movement' and v2.value = p.movement
      join match_values v3 on v3.kind = 'criteria' and v3.value = p.criteria
      join match_values v4 on v4.kind = 'method' and v4.value = p.method
      join match_values v5 on v5.kind = 'method_type' and v5.value = p.method_type
      on conflict (project_id) do update set
        (${COPIED_COLUMNS}) = (${excluded(COPIED_COLUMNS)}), (${VALUE_COLUMNS}) = (${excluded(VALUE_COLUMNS)}), dept_province = excluded.dept_province
      returning id, project_id
    )
    insert into project_texts (filters_id, name_search, winner_search, winner_spaced)
    select f.id, g.name_search, g.winner_search, g.winner_spaced from filters f join given g on g.project_id = f.project_id
    on conflict (filters_id) do update set
      name_search = excluded.name_search, winner_search = excluded.winner_search, winner_spaced = excluded.winner_spaced
      where (project_texts.name_search, project_texts.winner_search, project_texts.winner_spaced)
        is distinct from (excluded.name_search, excluded.winner_search, excluded.winner_spaced)`)
}

const ofProject = (columns: Sql): Sql => raw(columns.sql.replace(/\w+/g, 'p.$&'))
const excluded = (columns: Sql): Sql => raw(columns.sql.replace(/\w+/g, 'excluded.$&'))

export function dedupeMatchesByReasons(matches: readonly MatchVerdict[]): MatchVerdict[] {
  const matchByReasons = new Map<MatchVerdict['reasons'], MatchVerdict>()
  for (const match of matches) if (!matchByReasons.has(match.reasons)) matchByReasons.set(match.reasons, match)
  return [...matchByReasons.values()]
}

async function cacheWordIds(tx: Db, matches: readonly MatchVerdict[], wordIds: MatchReasonIdCache): Promise<void> {
  if (wordIds.size > MAX_CACHED_WORD_IDS) wordIds.clear()
  for (const slice of splitIntoSlices(
    matches.filter(({ reasons }) => !wordIds.has(reasons)),
    MATCHES_PER_STATEMENT[tx.engine],
  )) {
    const ids = await storeWords(tx, slice)
    for (const [index, { reasons }] of slice.entries()) wordIds.set(reasons, ids[index]!)
  }
}

async function storeWords(tx: Db, matches: readonly MatchVerdict[]): Promise<number[]> {
  const records = matches.map(({ organisation_id, matched_by, matched_words, reasons }, place) => ({
    place,
    organisation_id,
    matched_by,
    matched_words,
    reasons,
  }))
  const rows = await tx.query<{ place: number; id: number }>(sql`
    with given as materialized (
      select x.*, match_words_key(x.matched_by, x.matched_words, x.reasons) as key
      from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as x (place int, organisation_id int, matched_by text[], matched_words text[], reasons jsonb)
    ),
    stored as materialized (
      select g.place, w.id from given g join match_words w on w.organisation_id = g.organisation_id and w.key = g.key
    ),
    added as (
      insert into match_words (organisation_id, matched_by, matched_words, reasons)
      select distinct on (g.organisation_id, g.key) g.organisation_id, g.matched_by, g.matched_words, g.reasons
      from given g where g.place not in (select s.place from stored s)
      returning id, organisation_id, key
    )
    select s.place, s.id from stored s
    union all
    select g.place, a.id from added a join given g on g.organisation_id = a.organisation_id and g.key = a.key`)
  const ids: number[] = []
  for (const { place, id } of rows) ids[place] = id
  return ids
}

type MatchKind = { readonly isNew: boolean; readonly isDocumented: boolean }

function groupByKind(
  matches: readonly MatchVerdict[],
  hasRow: (match: MatchVerdict) => boolean,
): { readonly kind: MatchKind; readonly of: readonly MatchVerdict[] }[] {
  const kinds = [true, false].flatMap((isNew) =>
    [true, false].map((isDocumented) => ({ kind: { isNew, isDocumented }, of: [] as MatchVerdict[] })),
  )
  // `document` sorts last in `matched_by`, so a list that begins with it contains nothing else.
  for (const match of matches)
    kinds[(hasRow(match) ? 2 : 0) + (match.matched_by[0] === 'document' ? 0 : 1)]!.of.push(match)
  return kinds
}

/**
 * SQL expression: the load of the project's first document match. A project that matches only through documents is New
 * in that load, unless the word was added later.
 */
const FIRST_DOCUMENT_LOAD = sql`(
  select min(dm.load_id) from document_matches dm
  where dm.organisation_id = x.organisation_id and dm.project_id = p.project_id)`
const UPDATE_IF_CHANGED = sql`
  on conflict (organisation_id, project_id) do update set
    filters_id = excluded.filters_id, words_id = excluded.words_id, changed_load = coalesce(excluded.changed_load, project_matches.changed_load)
    where (project_matches.filters_id, project_matches.words_id) is distinct from (excluded.filters_id, excluded.words_id)
      or excluded.changed_load <> coalesce(project_matches.changed_load, 0)`

/**
 * Builds the insert of these matches, in order, with all values as parameters. Looks up each project once, because a
 * thousand organisations may match it. `distinct` tells the planner that the positions are unique, so that it scans the
 * matches directly instead of sorting them by project.
 */
function insertStatement(
  loadId: number,
  matches: readonly MatchVerdict[],
  { wordIds, kind }: { readonly wordIds: MatchReasonIdCache; readonly kind: MatchKind },
): Sql {
  const placeByProject = new Map<string, number>()
  for (const { project_id: id } of matches) if (!placeByProject.has(id)) placeByProject.set(id, placeByProject.size)
  return sql`
    insert into project_matches (organisation_id, filters_id, words_id, first_load, changed_load, project_id)
    select x.organisation_id, p.filters_id, x.words_id, ${kind.isDocumented ? sql`coalesce(${FIRST_DOCUMENT_LOAD}, p.first_load)` : sql`p.first_load`},
      case when p.changed_load = ${loadId}::bigint then p.changed_load end, p.project_id
    from unnest(
      ${toPostgresArrayLiteral(matches.map((match) => match.organisation_id))}::int[],
      ${toPostgresArrayLiteral(matches.map((match) => placeByProject.get(match.project_id)!))}::int[],
      ${toPostgresArrayLiteral(matches.map((match) => wordIds.get(match.reasons)!))}::int[]
    ) as x (organisation_id, place, words_id)
    join (
      select distinct on (u.place) u.place, f.id as filters_id, p.first_load, p.changed_load, p.project_id
      from unnest(${toPostgresArrayLiteral([...placeByProject.keys()])}::text[], ${toPostgresArrayLiteral([...placeByProject.values()])}::int[]) u (project_id, place)
      join projects p on p.project_id = u.project_id
      join project_filters f on f.project_id = u.project_id
    ) p on p.place = x.place
    ${kind.isNew ? empty : UPDATE_IF_CHANGED}`
}

export async function removeUnusedMatchReasons(tx: Db, organisationId: number): Promise<void> {
  await tx.execute(sql`
    delete from match_words w where w.organisation_id = ${organisationId}::int and not exists (
      select from project_matches m where m.organisation_id = ${organisationId}::int and m.words_id = w.id)`)
}
