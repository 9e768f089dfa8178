import sql, { join, raw, type Sql } from 'sql-template-tag'
import { identifier } from '../backup/backup-tables.ts'
import type { Db } from '../db.ts'
import { type Copy, OF_TABLE, stagingOf } from './copy-sql.ts'

/** So long each of the tables is waited for to which the one that is held already is tied by references. */
const TIED_MS = 100

/** A table and its partitions. */
const WITH_PARTITIONS = (table: string) =>
  sql`(select ${OF_TABLE(table)}::oid union all select inhrelid from pg_inherits where inhparent = ${OF_TABLE(table)})`
/** A foreign key: whose, its name, and what it says. */
type Reference = { readonly of: string; readonly name: string; readonly says: string }

/**
 * Whether a transaction still uses a snapshot from before the copy was complete: in that snapshot the source has rows that its copy does not have. Counts standbys with `hot_standby_feedback`.
 * Null: unknown, because our database user may not see the snapshots of other users' sessions.
 */
export async function isStillSeenBefore(db: Db, { source }: Copy): Promise<boolean | null> {
  const { staging } = await stagingOf(db)
  const [row] = await db.query<{ seen: boolean; hidden: boolean }>(sql`
    with bound as (select age(p.copied_by::xid) as age from ${staging}.progress p where p.source = ${source}::text),
    moments as (
      select a.backend_xmin as xmin from pg_stat_activity a
      where a.pid <> pg_backend_pid() and (a.datname = current_database() or a.backend_type = 'walsender')
      union all select s.xmin from pg_replication_slots s)
    select exists (select from moments m cross join bound b where m.xmin is not null and age(m.xmin) >= b.age) as seen,
      exists (select from pg_stat_activity a where a.datname = current_database() and a.usesysid is not null and a.query = '<insufficient privilege>') as hidden`)
  return row!.hidden ? null : row!.seen
}

/** Whether somebody has used the table, its source or what is tied to it by references for longer in one transaction than anybody would be kept waiting. */
export async function isHeld(db: Db, { table, source }: Copy, ms: number): Promise<boolean> {
  const [row] = await db.query<{ is: boolean }>(sql`
    select exists (
      select from pg_locks l join pg_stat_activity a on a.pid = l.pid
      where l.granted and l.pid <> pg_backend_pid() and a.xact_start < clock_timestamp() - make_interval(secs => ${ms / 1000}::float8)
        and (l.relation in (select ${OF_TABLE(table)}::oid union all select ${OF_TABLE(source)}::oid)
          or l.relation in (select k.conrelid from pg_constraint k where k.contype = 'f' and k.confrelid = ${OF_TABLE(table)}))) as is`)
  return row!.is
}

/** Puts the copy into the place of its source. Nobody reads or writes the table meanwhile, for some milliseconds: nothing is read, no row is touched. */
export async function exchange(tx: Db, copy: Copy): Promise<void> {
  const { ours, staging } = await stagingOf(tx)
  const isAll = copy.source === copy.table
  const table = sql`${ours}.${identifier(copy.table)}`
  await tx.execute(sql`lock table ${isAll ? raw('') : raw('only')} ${table} in access exclusive mode`)
  // Whoever wants the table waits for us now: what is tied to it is had soon, or not in this moment.
  await tx.query(sql`select set_config('lock_timeout', ${`${TIED_MS}ms`}::text, true)`)
  const { incoming, outgoing } = await referencesOf(tx, copy)
  for (const { of, name } of incoming) await tx.execute(sql`alter table ${raw(of)} drop constraint ${raw(name)}`)
  if (isAll) await takePlace(tx, copy, { ours, staging })
  else await attachParts(tx, copy, { ours, staging })
  const leaves = copy.parts.length === 0 ? [copy.table] : copy.parts.map(({ name }) => name)
  const added = [
    ...incoming.map(({ of, name, says }) => sql`${raw(of)} add constraint ${raw(name)} ${raw(says)}`),
    ...outgoing.flatMap(({ name, says }) =>
      leaves.map((leaf) => sql`${ours}.${identifier(leaf)} add constraint ${raw(name)} ${raw(says)}`),
    ),
  ]
  // Held for what is written from now on; what was written before is read afterwards, beside writers.
  for (const one of added) await tx.execute(sql`alter table ${one} not valid`)
  await tx.execute(sql`drop schema ${staging} cascade`)
}

/** Attaches the parts in place of the partition that they were copied from, which is dropped. */
async function attachParts(tx: Db, copy: Copy, { ours, staging }: { ours: Sql; staging: Sql }): Promise<void> {
  await tx.execute(sql`drop table ${ours}.${identifier(copy.source)}`)
  for (const { name, bound } of copy.parts) {
    const part = identifier(name)
    await tx.execute(sql`alter table ${staging}.whole detach partition ${staging}.${part}`)
    await tx.execute(sql`alter table ${staging}.${part} set schema ${ours}`)
    await tx.execute(sql`
      alter table ${ours}.${identifier(copy.table)} attach partition ${ours}.${part} for values ${raw(bound)}`)
    await tx.execute(sql`alter table ${ours}.${part} drop constraint place`)
  }
}

/** The copy becomes the table: with its name, the names of its indexes, its triggers and rights. */
async function takePlace(tx: Db, copy: Copy, { ours, staging }: { ours: Sql; staging: Sql }): Promise<void> {
  const table = sql`${ours}.${identifier(copy.table)}`
  // `like` makes the indexes in their order.
  const indexNames = async (of: Sql) =>
    await tx.query<{ name: string; columns: string }>(sql`
      select quote_ident(c.relname) as name, i.indkey::text || ' ' || i.indisunique as columns from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indrelid = ${of} order by i.indexrelid`)
  const names = await indexNames(OF_TABLE(copy.table))
  const triggers = await tx.query<{ name: string; text: string; mode: string }>(sql`
    select quote_ident(g.tgname) as name, pg_get_triggerdef(g.oid) as text,
      case g.tgenabled when 'A' then 'enable always' when 'R' then 'enable replica' when 'D' then 'disable' else 'enable' end as mode
    from pg_trigger g where g.tgrelid = ${OF_TABLE(copy.table)} and not g.tgisinternal and g.tgname not in ('copy_change', 'copy_truncate')`)
  const rights = await tx.query<{ text: string }>(sql`
    select x.privilege_type || ' on ' || ${table.sql}::text || ' to ' || case x.grantee when 0 then 'public' else quote_ident(pg_get_userbyid(x.grantee)) end as text
    from pg_class c cross join lateral aclexplode(c.relacl) x where c.oid = ${OF_TABLE(copy.table)} and x.grantee <> c.relowner
    union all
    select x.privilege_type || ' (' || quote_ident(a.attname) || ') on ' || ${table.sql}::text || ' to ' || case x.grantee when 0 then 'public' else quote_ident(pg_get_userbyid(x.grantee)) end
    from pg_attribute a cross join lateral aclexplode(a.attacl) x where a.attrelid = ${OF_TABLE(copy.table)} and not a.attisdropped`)
  await tx.execute(sql`drop table ${table}`)
  for (const { name } of copy.parts)
    await tx.execute(sql`alter table ${staging}.${identifier(name)} set schema ${ours}`)
  await tx.execute(sql`alter table ${staging}.whole set schema ${ours}`)
  await tx.execute(sql`alter table ${ours}.whole rename to ${identifier(copy.table)}`)
  const made = await indexNames(OF_TABLE(copy.table))
  for (const [at, { name, columns }] of names.entries()) {
    if (made[at]?.columns !== columns) throw new Error(`the copy of ${copy.table} has other indexes`)
    await tx.execute(sql`alter index ${ours}.${raw(made[at].name)} rename to ${raw(name)}`)
  }
  for (const { text } of rights) await tx.execute(sql`grant ${raw(text)}`)
  for (const { name, text, mode } of triggers) {
    await tx.execute(raw(text))
    await tx.execute(sql`alter table ${table} ${raw(mode)} trigger ${raw(name)}`)
  }
}

/** Of other tables to this one, and of the source to others. */
async function referencesOf(tx: Db, { table, source }: Copy) {
  const says = sql`replace(pg_get_constraintdef(k.oid), ' NOT VALID', '')`
  const incoming = await tx.query<Reference>(sql`
    select k.conrelid::regclass::text as of, quote_ident(k.conname) as name, ${says} as says from pg_constraint k
    where k.contype = 'f' and k.conparentid = 0 and k.confrelid = ${OF_TABLE(table)} order by 1, 2`)
  const outgoing = await tx.query<Reference>(sql`
    select distinct '' as of, quote_ident(k.conname) as name, ${says} as says from pg_constraint k
    where k.contype = 'f' and k.conparentid = 0 and k.conrelid in ${WITH_PARTITIONS(source)} order by 2`)
  return { incoming, outgoing }
}

/** References from or to this table that hold for new rows alone so far; each is read in a statement of its own, which keeps no writer waiting. */
export async function notValidated(db: Db, tables: readonly string[]): Promise<{ of: string; name: string }[]> {
  const all = join(tables.map(WITH_PARTITIONS), ' union all ')
  return await db.query(sql`
    with ours as (${all})
    select k.conrelid::regclass::text as of, quote_ident(k.conname) as name from pg_constraint k
    where k.contype = 'f' and k.conparentid = 0 and not k.convalidated
      and (k.conrelid in (select * from ours) or k.confrelid in (select * from ours)) order by 1, 2`)
}

export async function validate(tx: Db, { of, name }: { of: string; name: string }): Promise<void> {
  await tx.execute(sql`alter table ${raw(of)} validate constraint ${raw(name)}`, { timeoutMs: 0 })
}

/** Why the whole of this table cannot be exchanged: what would not come with it. Undefined: it can. */
export async function tiesOf(db: Db, table: string): Promise<string | undefined> {
  const [row] = await db.query<{ why: string | null }>(sql`
    select case
      when c.relrowsecurity or exists (select from pg_policy p where p.polrelid = c.oid) then 'policies'
      when exists (select from pg_depend d join pg_rewrite r on r.oid = d.objid where d.classid = 'pg_rewrite'::regclass and d.refclassid = 'pg_class'::regclass
        and d.refobjid = c.oid) then 'views'
      when exists (select from pg_attribute a where a.attrelid = c.oid and (a.attidentity <> '' and not a.attisdropped)) then 'counters'
      when exists (select from pg_index i where i.indrelid = c.oid and not i.indisvalid) then 'indexes that are not valid and'
      when exists (select from pg_publication_rel p where p.prrelid = c.oid) then 'publications'
      end as why
    from pg_class c where c.oid = ${OF_TABLE(table)}`)
  return row?.why ?? undefined
}
