import sql from 'sql-template-tag'
import type { TeamLabel, TeamLabels } from '#contract/pursuit/team-label.ts'
import type { Db } from '#server/engine/db.ts'

/** Labels of an organisation, oldest first. */
export async function listTeamLabels(db: Db, organisationId: number): Promise<TeamLabel[]> {
  return db.query<TeamLabel>(sql`
    select id, name, color, created_by from team_labels where organisation_id = ${organisationId}::int order by created_at, id`)
}

/** Labels of an organisation and which of its projects carry them, those given first first. */
export async function loadTeamLabels(db: Db, organisationId: number): Promise<TeamLabels> {
  const [row] = await db.query<TeamLabels>(sql`
    select
      (select coalesce(json_agg(json_build_object('id', l.id, 'name', l.name, 'color', l.color, 'created_by', l.created_by) order by l.created_at, l.id), '[]')
        from team_labels l where l.organisation_id = ${organisationId}::int) as labels,
      (select coalesce(json_object_agg(a.project_id, a.ids), '{}') from (
        select project_id, json_agg(label_id order by created_at, label_id) as ids
        from team_label_assignments where organisation_id = ${organisationId}::int group by project_id
      ) a) as assignments`)
  return row!
}

/** Adds a label behind all others, however coarse the clock. Call with the lock of the board. */
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

/** Takes it off every project and answers which these were. */
export async function deleteTeamLabel(tx: Db, organisationId: number, id: string): Promise<string[]> {
  const carried = await tx.query<{ project_id: string }>(sql`
    delete from team_label_assignments where organisation_id = ${organisationId}::int and label_id = ${id} returning project_id`)
  await tx.execute(sql`delete from team_labels where organisation_id = ${organisationId}::int and id = ${id}`)
  return carried.map(({ project_id }) => project_id)
}

/** Gives a label to projects, in this order; answers those that did not carry it. */
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

/** Takes a label off projects; answers those that carried it. */
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

export async function countTeamLabelled(tx: Db, organisationId: number): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(distinct project_id)::int as count from team_label_assignments where organisation_id = ${organisationId}::int`)
  return row!.count
}

/** Of these projects, how many are neither in the organisation's report nor on its board, without notes and labels of the team. */
export async function countStrange(tx: Db, organisationId: number, projectIds: readonly string[]): Promise<number> {
  const of = sql`x.organisation_id = ${organisationId}::int and x.project_id = t.id`
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*)::int as count from unnest(${[...projectIds]}::text[]) t (id)
    where not exists (select from project_matches x where ${of}) and not exists (select from pursuits x where ${of})
      and not exists (select from pursuit_notes x where ${of}) and not exists (select from team_label_assignments x where ${of})`)
  return row!.count
}
