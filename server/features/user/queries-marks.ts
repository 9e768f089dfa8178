import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '#server/engine/db.ts'

/** Stars and hidden projects: lists of project ids, one table each. */
export type MarkKind = 'star' | 'hidden'
const TABLES: Readonly<Record<MarkKind, Sql>> = { star: sql`bookmarks`, hidden: sql`hidden_projects` }

/** Marks these projects in their order; answers how many were not marked before. */
export async function addMarks(tx: Db, kind: MarkKind, userId: number, projectIds: readonly string[]): Promise<number> {
  return tx.execute(sql`
    insert into ${TABLES[kind]} (user_id, project_id, created_at)
    select ${userId}::int, t.id, clock_timestamp() + t.place * interval '1 microsecond'
    from unnest(${projectIds}::text[]) with ordinality t (id, place)
    on conflict do nothing`)
}

export async function removeMarks(
  tx: Db,
  kind: MarkKind,
  userId: number,
  projectIds: readonly string[],
): Promise<void> {
  await tx.execute(
    sql`delete from ${TABLES[kind]} where user_id = ${userId}::int and project_id = any (${projectIds}::text[])`,
  )
}

export async function removeAllMarks(tx: Db, kind: MarkKind, userId: number): Promise<void> {
  await tx.execute(sql`delete from ${TABLES[kind]} where user_id = ${userId}::int`)
}

export async function countMarks(tx: Db, kind: MarkKind, userId: number): Promise<number> {
  const [row] = await tx.query<{ marked: number }>(
    sql`select count(*) as marked from ${TABLES[kind]} where user_id = ${userId}::int`,
  )
  return row!.marked
}
