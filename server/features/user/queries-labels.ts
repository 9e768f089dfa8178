import sql from 'sql-template-tag'
import type { Label } from '#contract/user/label.ts'
import type { Db } from '#server/engine/db.ts'

/** Labels of the user, oldest first. */
export async function findLabels(tx: Db, userId: number): Promise<Label[]> {
  return tx.query<Label>(sql`select id, name, color from labels where user_id = ${userId}::int order by created_at, id`)
}

/** Adds a label behind all others, however coarse the clock. */
export async function insertLabel(tx: Db, userId: number, { id, name, color }: Label): Promise<void> {
  await tx.execute(sql`
    insert into labels (user_id, id, name, color, created_at)
    values (${userId}::int, ${id}, ${name}, ${color},
      greatest(clock_timestamp(), (select max(l.created_at) + interval '1 microsecond' from labels l where l.user_id = ${userId}::int)))`)
}

export async function updateLabel(tx: Db, userId: number, label: Label): Promise<void> {
  await tx.execute(
    sql`update labels set name = ${label.name}, color = ${label.color} where user_id = ${userId}::int and id = ${label.id}`,
  )
}

/** Its assignments go with it. */
export async function deleteLabel(tx: Db, userId: number, labelId: string): Promise<void> {
  await tx.execute(sql`delete from labels where user_id = ${userId}::int and id = ${labelId}`)
}

export type Assignment = { readonly projectId: string; readonly labelId: string }

/** Gives labels to projects, in this order; answers how many of the pairs are new. */
export async function addAssignments(tx: Db, userId: number, pairs: readonly Assignment[]): Promise<number> {
  return tx.execute(sql`
    insert into label_assignments (user_id, project_id, label_id, created_at)
    select ${userId}::int, t.project_id, t.label_id, clock_timestamp() + t.place * interval '1 microsecond'
    from unnest(${pairs.map((pair) => pair.projectId)}::text[], ${pairs.map((pair) => pair.labelId)}::text[])
      with ordinality t (project_id, label_id, place)
    on conflict do nothing`)
}

/** Takes this label off the projects, or all labels when none is named. */
export async function removeAssignments(
  tx: Db,
  userId: number,
  projectIds: readonly string[],
  labelId?: string,
): Promise<void> {
  const label = labelId ?? null
  await tx.execute(sql`
    delete from label_assignments
    where user_id = ${userId}::int and project_id = any (${projectIds}::text[]) and (${label}::text is null or label_id = ${label}::text)`)
}

export async function countLabelledProjects(tx: Db, userId: number): Promise<number> {
  const [row] = await tx.query<{ labelled: number }>(
    sql`select count(distinct project_id) as labelled from label_assignments where user_id = ${userId}::int`,
  )
  return row!.labelled
}
