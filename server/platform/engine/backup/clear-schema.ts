import sql, { raw } from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import { listBackupTables } from './backup-tables.ts'

export async function clearSchema(tx: Db): Promise<void> {
  await tx.script(`
    do $$
    declare
      one record;
    begin
      for one in
        select c.oid::regclass as name from pg_class c
        where c.relnamespace = (select oid from pg_namespace where nspname = current_schema()) and c.relkind in ('r', 'p') and not c.relispartition
          and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
      loop
        execute format('drop table if exists %s cascade', one.name);
      end loop;
      for one in
        select p.oid::regprocedure as name from pg_proc p
        where p.pronamespace = (select oid from pg_namespace where nspname = current_schema())
          and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
      loop
        execute format('drop routine if exists %s cascade', one.name);
      end loop;
    end $$`)
}

/** Truncates all tables, because rows inserted by migrations are also in the backup. */
export async function truncateAllTables(tx: Db): Promise<void> {
  const names = (await listBackupTables(tx)).map(({ name }) => `"${name}"`)
  await tx.script(`truncate ${names.join(', ')} restart identity cascade`)
}

/**
 * Drops foreign keys and secondary indexes, disables triggers, and returns the statements that restore them. Building
 * indexes after the load takes a fraction of maintaining them per row, and tables can be loaded in any order.
 */
export async function dropRestorableIndexesAndConstraints(tx: Db): Promise<string[]> {
  const references = await tx.query<{ table: string; name: string; definition: string }>(sql`
    select k.conrelid::regclass::text as "table", quote_ident(k.conname) as name, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join pg_class c on c.oid = k.conrelid
    where k.contype = 'f' and k.conparentid = 0 and not c.relispartition
      and c.relnamespace = (select oid from pg_namespace where nspname = current_schema())
    order by 1, 2`)
  const indexes = await tx.query<{ name: string; definition: string }>(sql`
    select i.indexrelid::regclass::text as name, replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') as definition
    from pg_index i join pg_class x on x.oid = i.indexrelid join pg_class c on c.oid = i.indrelid
    where not x.relispartition and not c.relispartition
      and c.relnamespace = (select oid from pg_namespace where nspname = current_schema())
      and c.relkind in ('r', 'p')
      and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
    order by 1`)
  // Triggers that record changes must not fire: the backup already contains those records.
  const triggers = await tx.query<{ table: string; name: string; mode: string }>(sql`
    select g.tgrelid::regclass::text as "table", quote_ident(g.tgname) as name, case g.tgenabled when 'A' then 'always' else '' end as mode
    from pg_trigger g join pg_class c on c.oid = g.tgrelid
    where not g.tgisinternal and not c.relispartition
      and c.relnamespace = (select oid from pg_namespace where nspname = current_schema())
    order by 1, 2`)
  for (const table of new Set(triggers.map((trigger) => trigger.table)))
    await tx.execute(sql`alter table ${raw(table)} disable trigger user`)
  for (const { table, name } of references)
    await tx.execute(sql`alter table ${raw(table)} drop constraint ${raw(name)}`)
  for (const { name } of indexes) await tx.execute(sql`drop index ${raw(name)}`)
  return [
    ...indexes.map(({ definition }) => definition),
    ...references.map(({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`),
    ...triggers.map(({ table, name, mode }) => `alter table ${table} enable ${mode} trigger ${name}`),
  ]
}
