import sql, { type Sql } from 'sql-template-tag'
import type { KeywordListCode } from '#contract/account/organisation.ts'
import type { ProjectToMatch } from '#server/matching/compile-match-rules.ts'
import type { Db } from '#server/platform/engine/db.ts'

/**
 * `since`: ISO date, or null for all. `list` and `word` select one exclusion. `rescued` selects rescued projects
 * instead of hidden ones.
 */
export type ExcludedProjectFilter = {
  readonly since: string | null
  readonly list: KeywordListCode | null
  readonly word: string | null
  readonly rescued: boolean
  readonly page: number
  readonly pageSize: number
}

export type StoredExcludedProjectRow = ProjectToMatch & {
  readonly name: string
  readonly list: KeywordListCode
  readonly word: string
  readonly rescued: boolean
}
export type StoredExcludedProjects = {
  readonly total: number
  readonly rescued: number
  readonly words: readonly { readonly list: KeywordListCode; readonly word: string; readonly count: number }[]
  readonly rows: readonly StoredExcludedProjectRow[]
}

/**
 * SQL: hidden and rescued projects of one organisation. A rescue takes precedence over a stored exclusion, because
 * matching may lag behind.
 */
const ledgerRows = (organisationId: number, since: string | null): Sql => sql`
  select l.project_id, l.list, l.word, l.rescued, p.movement_on
  from (
    select e.project_id, e.list, e.word, false as rescued from match_exclusions e
    where e.organisation_id = ${organisationId}::int
      and not exists (select from match_rescues r where r.organisation_id = e.organisation_id and r.project_id = e.project_id)
    union all
    select r.project_id, r.list, r.word, true from match_rescues r where r.organisation_id = ${organisationId}::int
  ) l
  join projects p on p.project_id = l.project_id
  where ${since}::date is null or p.movement_on >= ${since}::date`

export async function loadExcludedProjects(
  db: Db,
  organisationId: number,
  search: ExcludedProjectFilter,
): Promise<StoredExcludedProjects> {
  const [ledger] = await db.query<StoredExcludedProjects>(sql`
    with listed as materialized (${ledgerRows(organisationId, search.since)}),
    found as (
      select * from listed l where l.rescued = ${search.rescued}::boolean
        and (${search.list}::text is null or l.list = ${search.list}::text)
        and (${search.word}::text is null or l.word = ${search.word}::text)
    )
    select (select count(*) from found) as total, (select count(*) from listed l where l.rescued) as rescued,
      coalesce((
        select json_agg(json_build_object('list', w.list, 'word', w.word, 'count', w.count) order by w.count desc, w.list, w.word)
        from (select l.list, l.word, count(*) as count from listed l where not l.rescued group by l.list, l.word) w
      ), '[]') as words,
      coalesce((
        select json_agg(r) from (
          select f.project_id, f.list, f.word, f.rescued, p.name, p.name_search, p.name_spaced, p.movement_on, p.budget_satang, p.project_province,
            d.name as dept_name, d.sub_name as dept_sub_name, d.province as dept_province
          from found f join projects p on p.project_id = f.project_id join departments d on d.id = p.department_id
          order by p.movement_on desc nulls last, p.project_id
          limit ${search.pageSize}::int offset ${(search.page - 1) * search.pageSize}::bigint
        ) r
      ), '[]') as rows`)
  return ledger!
}

export async function addExclusionExemptions(
  tx: Db,
  {
    organisationId,
    userId,
    projectIds,
    at,
  }: { organisationId: number; userId: number; projectIds: readonly string[]; at: Date },
): Promise<string[]> {
  const rows = await tx.query<{ project_id: string }>(sql`
    insert into match_rescues (organisation_id, project_id, list, word, created_at, created_by)
    select e.organisation_id, e.project_id, e.list, e.word, ${at.toISOString()}::timestamptz, ${userId}::int from match_exclusions e
    where e.organisation_id = ${organisationId}::int and e.project_id = any (${[...projectIds]}::text[])
    on conflict do nothing returning project_id`)
  return rows.map((row) => row.project_id)
}

export async function removeExclusionExemptions(
  tx: Db,
  organisationId: number,
  projectIds: readonly string[],
): Promise<string[]> {
  const rows = await tx.query<{ project_id: string }>(sql`
    delete from match_rescues where organisation_id = ${organisationId}::int and project_id = any (${[...projectIds]}::text[])
    returning project_id`)
  return rows.map((row) => row.project_id)
}
