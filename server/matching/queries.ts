import sql, { empty, type Sql } from 'sql-template-tag'
import { HAS_SEPARATE_DEMO_TABLES_SQL } from '#server/account/demo/is-demo-data-allowed.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { splitIntoSlices } from '#server/platform/engine/process-in-batches.ts'
import type { DocumentOccurrence, OrganisationMatchRules, ProjectToMatch } from './compile-match-rules.ts'
import type { ProjectVerdict } from './evaluate-project.ts'

/**
 * Match rows per statement: few enough to stay well below the statement timeout, even if each project matches a
 * thousand organisations.
 */
export const MATCH_ROWS_PER_STATEMENT = 2_000

/**
 * Arbitrary constant shared by all processes. Transactions that write match rows hold this advisory lock until they
 * end.
 */
const MATCHING_LOCK_KEY = 8_246_913_370

/**
 * Takes the matching lock, waiting for other matching transactions. Without it, a rematch and a load could overwrite
 * each other's results with those of older rules.
 */
export async function acquireMatchingLock(tx: Db): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(${MATCHING_LOCK_KEY}::bigint)`, { timeoutMs: 0 })
}

/**
 * Loads the rules of every organisation, or of one. Includes only AI terms that may be active, plus all facets, because
 * `getMatchingTerms` must detect a facet whose terms were all rejected. Without an id, leaves out the demo once it has
 * tables of its own (decision 0053).
 */
export async function loadOrganisationMatchRules(db: Db, organisationId?: number): Promise<OrganisationMatchRules[]> {
  return db.query<OrganisationMatchRules>(sql`
    select o.id, o.customer_config as config, o.areas_with_provinces as areas,
      coalesce((
        select json_agg(json_build_object('id', k.id, 'list', k.list, 'word', k.word, 'approved', k.approved,
          'terms', case when k.list in ('ai_include', 'ai_exclude') then (
            select case when count(*) > 0 then coalesce(
              json_agg(json_build_object('term', t.term, 'source', t.source, 'state', t.state, 'facet', t.facet) order by t.position, t.term_key)
                filter (where t.facet > 0 or t.state in ('auto', 'approved')), '[]') end
            from keyword_terms t where t.keyword_id = k.id
          ) end) order by k.id)
        from keywords k where k.organisation_id = o.id
      ), '[]') as keywords,
      coalesce((select json_agg(r.project_id) from match_rescues r where r.organisation_id = o.id), '[]') as rescued,
      coalesce((select json_agg(f.project_id) from (${FOLLOWED_PROJECTS}) f), '[]') as followed
      ${organisationId === undefined ? empty : sql`, ${DOCUMENT_OCCURRENCES} as documented`}
    from organisations o
    where ${organisationId === undefined ? sql`not ${HAS_SEPARATE_DEMO_TABLES_SQL}` : sql`o.id = ${organisationId}::int`}
    order by o.id`)
}

/** SQL: projects that organisation `o` follows. For a tenant, row security limits the marks to those of the user. */
const FOLLOWED_PROJECTS = sql`
  select b.project_id from bookmarks b join users u on u.id = b.user_id where u.organisation_id = o.id
  union select l.project_id from label_assignments l join users u on u.id = l.user_id where u.organisation_id = o.id
  union select t.project_id from team_label_assignments t where t.organisation_id = o.id
  union select c.project_id from pursuits c where c.organisation_id = o.id`

/** True if a user of the organisation bookmarked or labelled the project, or it is on the board. Call as superuser. */
export async function isProjectMarkedByOrganisation(
  db: Db,
  organisationId: number,
  projectId: string,
): Promise<boolean> {
  const [row] = await db.query(sql`
    select from organisations o where o.id = ${organisationId}::int and ${projectId}::text in (${FOLLOWED_PROJECTS})`)
  return row !== undefined
}

const DOCUMENT_OCCURRENCES = sql`coalesce((
  select json_agg(json_build_array(x.project_id, x.keyword_id, x.page) order by x.project_id, x.keyword_id)
  from document_matches x where x.organisation_id = o.id), '[]')`

export async function loadOrganisationMatchRulesForDataLoad(tx: Db, loadId: number): Promise<OrganisationMatchRules[]> {
  const rows = await tx.query<{ organisation_id: number; places: DocumentOccurrence[] }>(
    sql`
      select x.organisation_id, json_agg(json_build_array(x.project_id, x.keyword_id, x.page) order by x.project_id, x.keyword_id) as places
      from document_matches x join projects p on p.project_id = x.project_id
      where p.written_load = ${loadId}::bigint group by x.organisation_id`,
    { timeoutMs: 0 },
  )
  const occurrencesByOrganisation = new Map(rows.map(({ organisation_id, places }) => [organisation_id, places]))
  return (await loadOrganisationMatchRules(tx)).map((rules) => ({
    ...rules,
    documented: occurrencesByOrganisation.get(rules.id) ?? [],
  }))
}

/**
 * `is_new`: the load being matched contains the project for the first time, so the project cannot have a match row yet.
 */
export type StoredProjectToMatch = ProjectToMatch & {
  readonly winner_name: string | null
  readonly other_winners: string | null
  readonly is_new: boolean
}

export async function loadProjectsToMatch(
  db: Db,
  { after, limit, loadId }: { after: string; limit: number; loadId?: number | undefined },
): Promise<StoredProjectToMatch[]> {
  return db.query<StoredProjectToMatch>(sql`
    ${SELECT_PROJECT}
    where p.project_id > ${after}::text ${loadId === undefined ? empty : sql`and p.written_load = ${loadId}::bigint`}
    order by p.project_id limit ${limit}::int`)
}

export async function loadProjectsToMatchById(db: Db, projectIds: readonly string[]): Promise<StoredProjectToMatch[]> {
  return db.query<StoredProjectToMatch>(sql`${SELECT_PROJECT} where p.project_id = any (${[...projectIds]}::text[])`)
}

const SELECT_PROJECT = sql`
    select p.project_id, p.name_search, p.name_spaced, p.project_province, p.budget_satang, p.movement_on, p.winner_name, p.other_winners,
      d.name as dept_name, d.sub_name as dept_sub_name, d.province as dept_province,
      p.first_load = p.written_load as is_new
    from projects p join departments d on d.id = p.department_id`

export async function countProjectsToMatch(db: Db, loadId?: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*) from projects p ${loadId === undefined ? empty : sql`where p.written_load = ${loadId}::bigint`}`)
  return row?.count ?? 0
}

export async function countNewProjectMatches(
  tx: Db,
  loadId: number,
  projectIds: readonly string[],
): Promise<{ readonly matched: number; readonly excluded: number }> {
  const newProjects = sql`select p.project_id from projects p where p.project_id = any (${[...projectIds]}::text[]) and p.first_load = ${loadId}::bigint`
  const [row] = await tx.query<{ matched: number; excluded: number }>(
    sql`
      select (select count(*) from project_matches m where m.project_id in (${newProjects})) as matched,
        (select count(*) from match_exclusions x where x.project_id in (${newProjects})) as excluded`,
    { timeoutMs: 0 },
  )
  return row!
}

export async function loadPublishedDataLoadIds(db: Db): Promise<number[]> {
  const rows = await db.query<{ id: number }>(sql`
    select id from loads where state = 'published' order by published_at desc nulls last, id desc`)
  return rows.map((row) => row.id)
}

export type MatchVerdict = Extract<ProjectVerdict, { kind: 'match' }>
export type ExclusionVerdict = Extract<ProjectVerdict, { kind: 'excluded' }>

export async function upsertMatchExclusions(tx: Db, exclusions: readonly ExclusionVerdict[]): Promise<void> {
  for (const slice of splitIntoSlices(exclusions, MATCH_ROWS_PER_STATEMENT)) {
    await tx.execute(sql`
      insert into match_exclusions (organisation_id, project_id, list, word, load_id)
      select x.organisation_id, p.project_id, x.list, x.word, p.changed_load
      from jsonb_to_recordset(${JSON.stringify(slice)}::jsonb) as x (organisation_id int, project_id text, list text, word text)
      join projects p on p.project_id = x.project_id
      on conflict (organisation_id, project_id) do update
        set list = excluded.list, word = excluded.word, load_id = excluded.load_id`)
  }
}

export type MatchTable = 'project_matches' | 'match_exclusions'
const TABLES: Readonly<Record<MatchTable, Sql>> = {
  project_matches: sql`project_matches`,
  match_exclusions: sql`match_exclusions`,
}

/**
 * Returns those of the projects that may have matches. Every match references a row of `project_filters`, and those
 * rows are never deleted.
 */
export async function findPreviouslyMatchedProjects(tx: Db, projectIds: readonly string[]): Promise<Set<string>> {
  if (projectIds.length === 0) return new Set()
  const rows = await tx.query<{ project_id: string }>(sql`
    select f.project_id from project_filters f where f.project_id = any (${[...projectIds]}::text[])`)
  return new Set(rows.map(({ project_id }) => project_id))
}

export async function deleteObsoleteVerdicts(
  tx: Db,
  table: MatchTable,
  projectIds: readonly string[],
  current: readonly ProjectVerdict[],
  organisationId?: number,
): Promise<void> {
  if (projectIds.length === 0) return
  const among = new Set(projectIds)
  const currentAmong = current.filter((verdict) => among.has(verdict.project_id))
  await tx.execute(sql`
    delete from ${TABLES[table]} m where m.project_id = any (${[...projectIds]}::text[])
      ${organisationId === undefined ? empty : sql`and m.organisation_id = ${organisationId}::int`} and not exists (
      select from unnest(${currentAmong.map((verdict) => verdict.organisation_id)}::int[], ${currentAmong.map((verdict) => verdict.project_id)}::text[]) as x (organisation_id, project_id)
      where x.organisation_id = m.organisation_id and x.project_id = m.project_id
    )`)
}

export async function deleteMatchRowsExcept(
  tx: Db,
  table: MatchTable,
  organisationId: number,
  retainedIds: readonly string[],
): Promise<void> {
  await tx.execute(
    sql`
      delete from ${TABLES[table]} m where m.organisation_id = ${organisationId}::int
        and not exists (select from unnest(${[...retainedIds]}::text[]) u (id) where u.id = m.project_id)`,
    { timeoutMs: 0 },
  )
}

export async function saveNewestDatesOutsideReportWindow(
  tx: Db,
  newest: ReadonlyMap<number, string>,
  reset?: { organisationId: number },
): Promise<void> {
  if (reset) {
    await tx.execute(
      sql`update organisations set newest_outside_window = null where id = ${reset.organisationId}::int and newest_outside_window is not null`,
    )
  }
  for (const [organisationId, date] of newest) {
    await tx.execute(sql`
      update organisations set newest_outside_window = greatest(newest_outside_window, ${date}::date) where id = ${organisationId}::int`)
  }
}
