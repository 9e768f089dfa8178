import sql, { empty, raw, type Sql } from 'sql-template-tag'
import { type MatchVerdict, ROWS_A_STATEMENT } from '#server/matching/queries.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { begun, slicesOf } from '#server/platform/engine/in-batches.ts'
import { arrayLiteral } from '#server/platform/engine/values.ts'

export type MatchTexts = {
  readonly project_id: string
  readonly dept_search: string
  readonly dept_spaced: string
  readonly winner_search: string | null
  readonly winner_spaced: string | null
}

/** Columns the report filters and sorts by: copied from the project, and those stored as ids of `match_values`. */
const COPIED = sql`written_load, department_id, is_archived, is_sme, project_province, budget_satang, estimate_satang, winner_satang, movement_on,
  draft_published_on, draft_discussion_ends_on, bidding_invited_on, submission_ends_on, winner_announced_on`
const NUMBERED = sql`status, movement, criteria, method, method_type`

/**
 * Ids of `match_words` by the list of reasons, cached for one transaction under the matching lock. Equal matches share
 * the list object (`SaidWords`), so no texts are compared: 4.4 million matches had 269,000 distinct reasons.
 */
export type KnownWords = Map<MatchVerdict['reasons'], number>
const MOST_KNOWN_WORDS = 400_000

/** On the embedded single-session database, each statement blocks all other queries. */
const MATCHES_A_STATEMENT = { postgres: 10_000, pglite: ROWS_A_STATEMENT } as const

type Options = {
  /** Always write the filters, because a load changed the projects. */
  readonly anew?: boolean
  /** `storeValues` already assigned the value ids. */
  readonly areValuesStored?: boolean
  readonly known?: KnownWords
  /** Result of `oneOfEach`, if computed ahead while the database was busy. */
  readonly said?: readonly MatchVerdict[]
  /**
   * False for matches certain to have no row, which are inserted in two thirds of the time; the insert fails if there
   * is one. Default: any match may have a row.
   */
  readonly hasRow?: (match: MatchVerdict) => boolean
}

/**
 * Writes matches, and once per project its filter columns if older than the project's last load. New rows get the load
 * that created the project, so a new word makes nothing New; rows are marked as changed in `loadId` if that load
 * changed a tracked field (D3). Unchanged rows are not written. Call under the matching lock; fastest if matches are
 * grouped by organisation, in index order.
 */
export async function upsertMatches(
  tx: Db,
  loadId: number,
  matches: readonly MatchVerdict[],
  textsOf: (projectId: string) => MatchTexts,
  {
    anew = false,
    areValuesStored = false,
    known = new Map(),
    hasRow = () => true,
    said = oneOfEach(matches),
  }: Options = {},
): Promise<void> {
  for (const projectIds of slicesOf([...new Set(matches.map((match) => match.project_id))], ROWS_A_STATEMENT)) {
    const stale = anew ? projectIds : await staleFilters(tx, projectIds)
    if (stale.length === 0) continue
    if (!areValuesStored) await numberValues(tx, stale)
    await writeFilters(tx, stale.map(textsOf))
  }
  await learnWords(tx, said, known)
  let [before, writing]: Promise<unknown>[] = [Promise.resolve(), Promise.resolve()]
  for (const slice of slicesOf(matches, MATCHES_A_STATEMENT[tx.engine]))
    for (const { kind, of } of kindsOf(slice, hasRow)) {
      if (of.length === 0) continue
      const statement = rowsStatement(loadId, of, { known, kind })
      // Queue one statement behind the running one, so the database never waits for this process.
      await before
      before = writing
      writing = begun(tx.execute(statement))
    }
  await before
  await writing
}

/** Returns projects whose `project_filters` row is missing or outdated, because loads update it only for matched projects. */
async function staleFilters(tx: Db, projectIds: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ project_id: string }>(sql`
    select p.project_id from projects p
    where p.project_id = any (${[...projectIds]}::text[]) and not exists (
      select from project_filters f where f.project_id = p.project_id and f.written_load = p.written_load)`)
  return rows.map((row) => row.project_id)
}

/**
 * Assigns ids to new values. Checks before inserting, because a conflicting insert still consumes one of the 32,767
 * ids.
 */
async function numberValues(tx: Db, projectIds: readonly string[]): Promise<void> {
  await tx.execute(sql`
    insert into match_values (kind, value)
    select v.kind, v.value
    from projects p
    cross join lateral (values ('status', p.status), ('movement', p.movement), ('criteria', p.criteria), ('method', p.method), ('method_type', p.method_type)) v (kind, value)
    where p.project_id = any (${[...projectIds]}::text[])
    except select kind, value from match_values`)
}

type Valued = Readonly<Record<'status' | 'movement' | 'criteria' | 'method' | 'method_type', string>>
const KINDS = ['status', 'movement', 'criteria', 'method', 'method_type'] as const

/** Assigns ids to values not in `stored`, in a separate transaction, and adds them to it. */
export async function storeValues(db: Db, projects: readonly Valued[], stored: Set<string>): Promise<void> {
  const fresh = new Map<string, { readonly kind: string; readonly value: string }>()
  for (const project of projects)
    for (const kind of KINDS) {
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

async function writeFilters(tx: Db, texts: readonly MatchTexts[]): Promise<void> {
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
      insert into project_filters (project_id, ${COPIED}, ${NUMBERED}, dept_province)
      select p.project_id, ${ofProject(COPIED)}, v1.id, v2.id, v3.id, v4.id, v5.id, d.province
      from given g
      join projects p on p.project_id = g.project_id
      join departments d on d.id = p.department_id
      join match_values v1 on v1.kind = 'status' and v1.value = p.status
      join match_values v2 on v2.kind = 'movement' and v2.value = p.movement
      join match_values v3 on v3.kind = 'criteria' and v3.value = p.criteria
      join match_values v4 on v4.kind = 'method' and v4.value = p.method
      join match_values v5 on v5.kind = 'method_type' and v5.value = p.method_type
      on conflict (project_id) do update set
        (${COPIED}) = (${excluded(COPIED)}), (${NUMBERED}) = (${excluded(NUMBERED)}), dept_province = excluded.dept_province
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

export function oneOfEach(matches: readonly MatchVerdict[]): MatchVerdict[] {
  const said = new Map<MatchVerdict['reasons'], MatchVerdict>()
  for (const match of matches) if (!said.has(match.reasons)) said.set(match.reasons, match)
  return [...said.values()]
}

async function learnWords(tx: Db, said: readonly MatchVerdict[], known: KnownWords): Promise<void> {
  if (known.size > MOST_KNOWN_WORDS) known.clear()
  for (const slice of slicesOf(
    said.filter(({ reasons }) => !known.has(reasons)),
    MATCHES_A_STATEMENT[tx.engine],
  )) {
    const ids = await storeWords(tx, slice)
    for (const [place, { reasons }] of slice.entries()) known.set(reasons, ids[place]!)
  }
}

async function storeWords(tx: Db, said: readonly MatchVerdict[]): Promise<number[]> {
  const given = said.map(({ organisation_id, matched_by, matched_words, reasons }, place) => ({
    place,
    organisation_id,
    matched_by,
    matched_words,
    reasons,
  }))
  const rows = await tx.query<{ place: number; id: number }>(sql`
    with given as materialized (
      select x.*, match_words_key(x.matched_by, x.matched_words, x.reasons) as key
      from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as x (place int, organisation_id int, matched_by text[], matched_words text[], reasons jsonb)
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

/** `isNew`: no row exists yet. `isDocumented`: matched through documents alone. */
type Kind = { readonly isNew: boolean; readonly isDocumented: boolean }

function kindsOf(
  matches: readonly MatchVerdict[],
  hasRow: (match: MatchVerdict) => boolean,
): { readonly kind: Kind; readonly of: readonly MatchVerdict[] }[] {
  const kinds = [true, false].flatMap((isNew) =>
    [true, false].map((isDocumented) => ({ kind: { isNew, isDocumented }, of: [] as MatchVerdict[] })),
  )
  // `document` sorts last, so a list that begins with it contains nothing else.
  for (const match of matches)
    kinds[(hasRow(match) ? 2 : 0) + (match.matched_by[0] === 'document' ? 0 : 1)]!.of.push(match)
  return kinds
}

/**
 * A project matched through documents alone is New in the load of its first document match, unless the word was added
 * later.
 */
const BROUGHT_BY = sql`(
  select min(dm.load_id) from document_matches dm
  where dm.organisation_id = x.organisation_id and dm.project_id = p.project_id)`
const UNLESS_IT_SAYS_SO = sql`
  on conflict (organisation_id, project_id) do update set
    filters_id = excluded.filters_id, words_id = excluded.words_id, changed_load = coalesce(excluded.changed_load, project_matches.changed_load)
    where (project_matches.filters_id, project_matches.words_id) is distinct from (excluded.filters_id, excluded.words_id)
      or excluded.changed_load <> coalesce(project_matches.changed_load, 0)`

/**
 * Builds the insert of these matches, in order, with all values as parameters. Each project is looked up once, because
 * a thousand organisations may match it. `distinct` tells the planner that places are unique, so it scans the matches
 * directly instead of sorting them by project.
 */
function rowsStatement(
  loadId: number,
  matches: readonly MatchVerdict[],
  { known, kind }: { readonly known: KnownWords; readonly kind: Kind },
): Sql {
  const placeOf = new Map<string, number>()
  for (const { project_id: id } of matches) if (!placeOf.has(id)) placeOf.set(id, placeOf.size)
  return sql`
    insert into project_matches (organisation_id, filters_id, words_id, first_load, changed_load, project_id)
    select x.organisation_id, p.filters_id, x.words_id, ${kind.isDocumented ? sql`coalesce(${BROUGHT_BY}, p.first_load)` : sql`p.first_load`},
      case when p.changed_load = ${loadId}::bigint then p.changed_load end, p.project_id
    from unnest(
      ${arrayLiteral(matches.map((match) => match.organisation_id))}::int[],
      ${arrayLiteral(matches.map((match) => placeOf.get(match.project_id)!))}::int[],
      ${arrayLiteral(matches.map((match) => known.get(match.reasons)!))}::int[]
    ) as x (organisation_id, place, words_id)
    join (
      select distinct on (u.place) u.place, f.id as filters_id, p.first_load, p.changed_load, p.project_id
      from unnest(${arrayLiteral([...placeOf.keys()])}::text[], ${arrayLiteral([...placeOf.values()])}::int[]) u (project_id, place)
      join projects p on p.project_id = u.project_id
      join project_filters f on f.project_id = u.project_id
    ) p on p.place = x.place
    ${kind.isNew ? empty : UNLESS_IT_SAYS_SO}`
}

export async function removeUnusedWords(tx: Db, organisationId: number): Promise<void> {
  await tx.execute(sql`
    delete from match_words w where w.organisation_id = ${organisationId}::int and not exists (
      select from project_matches m where m.organisation_id = ${organisationId}::int and m.words_id = w.id)`)
}
