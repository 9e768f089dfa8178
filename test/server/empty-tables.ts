import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'

/**
 * Empties `tables` and every table that refers to them, like `truncate … cascade`, but touches only those with rows:
 * `truncate` creates new files for each table, partition and index of the cascade, which takes most of the time of a
 * small test. Sequences are not reset.
 */
export async function emptyTables(db: Db, ...tables: readonly string[]): Promise<void> {
  await db.transaction(async (tx) => {
    // Disables foreign keys and triggers, as `truncate` does.
    await tx.execute(sql`select set_config('session_replication_role', 'replica', true)`)
    const written = await tx.query<{ name: string }>(sql`
      with recursive below (child, parent) as (
        select conrelid, confrelid from pg_constraint where contype = 'f'
        union all select inhrelid, inhparent from pg_inherits
      ), reached (oid) as (
        select name::regclass::oid from unnest(${tables}::text[]) as name
        union select below.child from reached join below on below.parent = reached.oid
      )
      select oid::regclass::text as name from reached join pg_class using (oid)
      where relkind = 'r' and pg_relation_size(oid) > 0`)
    await tx.script(written.map(({ name }) => `delete from ${name};`).join('\n'))
  })
}
