import sql from 'sql-template-tag'
import type { PackedTeamLabels, TeamLabel } from '#contract/report/team-label.ts'
import type { Db } from '#server/platform/engine/db.ts'

export async function listTeamLabels(db: Db, organisationId: number): Promise<TeamLabel[]> {
  return db.query<TeamLabel>(sql`
    select id, name, color, created_by from team_labels where organisation_id = ${organisationId}::int order by created_at, id`)
}

export async function loadTeamLabels(
  db: Db,
  organisationId: number,
): Promise<PackedTeamLabels & { readonly version: number }> {
  const [row] = await db.query<PackedTeamLabels & { version: number }>(sql`
    with l as materialized (
      select id, name, color, created_by, row_number() over (order by created_at, id) - 1 as position
      from team_labels where organisation_id = ${organisationId}::int
    )
    select
      coalesce((select version from pursuit_boards where organisation_id = ${organisationId}::int), 0) as version,
      (select coalesce(json_agg(json_build_object('id', id, 'name', name, 'color', color, 'created_by', created_by) order by position), '[]') from l) as labels,
      (select coalesce(json_object_agg(a.project_id, a.digits), '{}') from (
        select a.project_id, string_agg(lpad(to_hex(l.position), 2, '0'), '' order by a.created_at, a.label_id) as digits
        from team_label_assignments a join l on l.id = a.label_id where a.organisation_id = ${organisationId}::int group by a.project_id
      ) a) as carriers`)
  return row!
}

/** Returns the board version, incremented with every change of team data; 0 before the first change. */
async function loadPursuitBoardVersion(db: Db, organisationId: number): Promise<number> {
  const [row] = await db.query<{ version: number }>(
    sql`select version from pursuit_boards where organisation_id = ${organisationId}::int`,
  )
  return row?.version ?? 0
}

/**
 * Maximum organisations in the cache: 100 labels on 5,000 projects take 1.2 MB, a typical organisation some kilobytes.
 */
const MAX_CACHED = 50

type Entry = PackedTeamLabels & { readonly version: number }

/**
 * LRU cache of team labels per organisation, validated by board version, which every label change increments. Building
 * an entry reads every assignment (65,600 rows for 100 labels on 656 projects); checking the version reads one row.
 */
export function createTeamLabelCache(db: Db): (organisationId: number) => Promise<PackedTeamLabels> {
  const cached = new Map<number, Entry>()
  return async (organisationId) => {
    const cachedEntry = cached.get(organisationId)
    const entry =
      cachedEntry?.version === (await loadPursuitBoardVersion(db, organisationId))
        ? cachedEntry
        : await loadTeamLabels(db, organisationId)
    cached.delete(organisationId)
    cached.set(organisationId, entry)
    if (cached.size > MAX_CACHED) cached.delete(cached.keys().next().value!)
    return entry
  }
}

/**
 * Appends a label. `created_at` is bumped past the newest one, so that two inserts in one clock tick keep their order.
 * Call while holding the board lock.
 */
export async function insertTeamLabel(
  tx: Db,
  organisationId: number,
  { id, name, color, created_by: maker }: TeamLabel,
): Promise<void> {
  await tx.execute(sql`
    insert into team_labels (organisation_id, id, name, color, created_by, created_at)
    values (${organisationId}::int, ${id}, ${name}, ${color}, ${maker}::int, greatest(clock_timestamp(), (
      select max(l.created_at) + interval '1 microsecond' from team_labels l where l.organisation_id = ${organisationId}::int
    )))`)
}

export async function updateTeamLabel(
  tx: Db,
  organisationId: number,
  { id, name, color }: Pick<TeamLabel, 'id' | 'name' | 'color'>,
): Promise<void> {
  await tx.execute(sql`
    update team_labels set name = ${name}, color = ${color} where organisation_id = ${organisationId}::int and id = ${id}`)
}

export async function deleteTeamLabel(tx: Db, organisationId: number, id: string): Promise<string[]> {
  const carried = await tx.query<{ project_id: string }>(sql`
    delete from team_label_assignments where organisation_id = ${organisationId}::int and label_id = ${id} returning project_id`)
  await tx.execute(sql`delete from team_labels where organisation_id = ${organisationId}::int and id = ${id}`)
  return carried.map(({ project_id }) => project_id)
}

export async function assignTeamLabel(
  tx: Db,
  organisationId: number,
  id: string,
  projectIds: readonly string[],
): Promise<string[]> {
  const added = await tx.query<{ project_id: string }>(sql`
    insert into team_label_assignments (organisation_id, project_id, label_id, created_at)
    select ${organisationId}::int, t.project_id, ${id}, clock_timestamp() + t.place * interval '1 microsecond'
    from unnest(${[...projectIds]}::text[]) with ordinality t (project_id, place)
    on conflict do nothing returning project_id`)
  return added.map(({ project_id }) => project_id)
}

export async function unassignTeamLabel(
  tx: Db,
  organisationId: number,
  id: string,
  projectIds: readonly string[],
): Promise<string[]> {
  const removed = await tx.query<{ project_id: string }>(sql`
    delete from team_label_assignments
    where organisation_id = ${organisationId}::int and label_id = ${id} and project_id = any (${[...projectIds]}::text[])
    returning project_id`)
  return removed.map(({ project_id }) => project_id)
}

export async function countTeamLabelledProjects(tx: Db, organisationId: number): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(distinct project_id)::int as count from team_label_assignments where organisation_id = ${organisationId}::int`)
  return row!.count
}

export async function countInaccessibleProjects(
  tx: Db,
  organisationId: number,
  projectIds: readonly string[],
): Promise<number> {
  const condition = sql`x.organisation_id = ${organisationId}::int and x.project_id = t.id`
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*)::int as count from unnest(${[...projectIds]}::text[]) t (id)
    where not exists (select from project_matches x where ${condition}) and not exists (select from pursuits x where ${condition})
      and not exists (select from pursuit_notes x where ${condition}) and not exists (select from team_label_assignments x where ${condition})`)
  return row!.count
}
