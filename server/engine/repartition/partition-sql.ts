import sql, { join, raw, type Sql } from 'sql-template-tag'
import { identifier } from '../backup/backup-tables.ts'
import type { Db } from '../db.ts'

/** A partition by hash: the rows whose key leaves `remainder` when its hash is divided by `modulus`. */
export type Partition = { readonly name: string; readonly modulus: number; readonly remainder: number }
/** What a table is made of, with the names as they stand in statements. */
export type Shape = {
  readonly table: string
  /** Columns that are stored, not worked out by the database. */
  readonly columns: readonly string[]
  /** Of the primary key, with their types. */
  readonly key: readonly { readonly name: string; readonly type: string }[]
}
/** How far the copy of a partition has come. `after`: the last key that was copied, as texts. */
export type Progress = { readonly after: readonly string[] | null; readonly rows: number; readonly isWhole: boolean }

const OF_TABLE = (table: string) =>
  sql`to_regclass(quote_ident(current_schema()) || '.' || quote_ident(${table}::text))`

/** Schema of the copies, beside ours: what is half done is in nobody's backup, and no request can enter it. */
export async function stagingOf(db: Db): Promise<{ ours: Sql; staging: Sql }> {
  const [row] = await db.query<{ ours: string; staging: string }>(
    sql`select quote_ident(current_schema()) as ours, quote_ident(current_schema() || '_partitions') as staging`,
  )
  return { ours: raw(row!.ours), staging: raw(row!.staging) }
}

/** Its partitions by remainder; undefined when it is not a table that is partitioned by hash. */
export async function partitionsOf(db: Db, table: string): Promise<Partition[] | undefined> {
  const [kind] = await db.query(sql`
    select from pg_partitioned_table p where p.partrelid = ${OF_TABLE(table)} and p.partstrat = 'h'`)
  if (kind === undefined) return undefined
  return await db.query<Partition>(sql`
    select c.relname::text as name, substring(b.bound from 'modulus ([0-9]+)')::int as modulus, substring(b.bound from 'remainder ([0-9]+)')::int as remainder
    from pg_inherits i
    join pg_class c on c.oid = i.inhrelid
    cross join lateral (select pg_get_expr(c.relpartbound, c.oid) as bound) b
    where i.inhparent = ${OF_TABLE(table)} order by 3, 2`)
}

export async function shapeOf(db: Db, table: string): Promise<Shape> {
  const columns = await db.query<{ name: string; type: string; place: number | null }>(sql`
    select quote_ident(a.attname) as name, format_type(a.atttypid, a.atttypmod) as type, array_position(k.indkey::int2[], a.attnum) as place
    from pg_attribute a
    join pg_index k on k.indrelid = a.attrelid and k.indisprimary
    where a.attrelid = ${OF_TABLE(table)} and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum`)
  const key = columns.filter(({ place }) => place !== null).sort((a, b) => a.place! - b.place!)
  return { table, columns: columns.map(({ name }) => name), key }
}

const listed = (names: readonly string[], before = ''): Sql => join(names.map((name) => raw(`${before}${name}`)))

/** The copy that was begun of a partition, when all of it is still there and has the columns of today. */
export async function progressOf(db: Db, { columns }: Shape, { name }: Partition): Promise<Progress | undefined> {
  const [there] = await db.query<{ is: boolean }>(sql`
    select to_regclass(quote_ident(current_schema() || '_partitions') || '.progress') is not null
      and exists (select from pg_trigger where tgrelid = ${OF_TABLE(name)} and tgname = 'copy_change') as is`)
  if (!there!.is) return undefined
  const { staging } = await stagingOf(db)
  const [row] = await db.query<Progress>(sql`
    select after, rows, copied_by is not null as "isWhole" from ${staging}.progress
    where partition = ${name}::text and columns = ${[...columns]}::text[]`)
  return row
}

/**
 * Begins the copy of a partition: empty parts by the larger number, and a trigger that repeats in them whatever is written to the partition from here on. Each part carries the rule of its
 * place, so that it is attached later without being read. Waits for whoever is writing the partition.
 */
export async function beginCopy(
  tx: Db,
  shape: Shape,
  { name, modulus, remainder }: Partition,
  partitions: number,
): Promise<void> {
  const { ours, staging } = await stagingOf(tx)
  const old = sql`${ours}.${identifier(name)}`
  await dropCopies(tx)
  await tx.execute(sql`create schema ${staging}`)
  await tx.execute(sql`
    create table ${staging}.progress (
      partition text primary key, columns text[] not null, after text[], rows bigint not null default 0, copied_by xid8)`)
  const [owner] = await tx.query<{ name: string; parent: number }>(sql`
    select quote_ident(pg_get_userbyid(c.relowner)) as name, c.oid::int8 as parent from pg_class c where c.oid = ${OF_TABLE(shape.table)}`)
  const [options] = await tx.query<{ is: string | null }>(
    sql`select array_to_string(c.reloptions, ', ') as is from pg_class c where c.oid = ${OF_TABLE(name)}`,
  )
  const key = await tx.query<{ name: string }>(sql`
    select quote_ident(a.attname) as name from pg_partitioned_table p cross join lateral unnest(p.partattrs::int2[]) with ordinality as k (attnum, place)
    join pg_attribute a on a.attrelid = p.partrelid and a.attnum = k.attnum where p.partrelid = ${OF_TABLE(shape.table)} order by k.place`)
  const by = listed(key.map((column) => column.name))
  await tx.execute(
    sql`create table ${staging}.whole (like ${ours}.${identifier(shape.table)} including all) partition by hash (${by})`,
  )
  for (let place = remainder; place < partitions; place += modulus) {
    const part = sql`${staging}.${identifier(`${shape.table}_${place}`)}`
    await tx.execute(sql`
      create table ${part} partition of ${staging}.whole (
        constraint place check (satisfies_hash_partition(${raw(String(owner!.parent))}::oid, ${raw(String(partitions))}, ${raw(String(place))}, ${by}))
      ) for values with (modulus ${raw(String(partitions))}, remainder ${raw(String(place))})
      ${raw(options!.is === null ? '' : `with (${options!.is})`)}`)
    await tx.execute(sql`alter table ${part} owner to ${raw(owner!.name)}`)
  }
  await tx.script(triggerText(shape, old.sql, staging.sql))
  await tx.execute(
    sql`insert into ${staging}.progress (partition, columns) values (${name}::text, ${[...shape.columns]}::text[])`,
  )
}

/** With the rights of the owner: whoever may write a match need not know of the copy. `always`: loads of large files write in a role in which triggers rest. */
function triggerText({ columns, key }: Shape, old: string, staging: string): string {
  const names = key.map(({ name }) => name)
  const rest = columns.filter((column) => !names.includes(column))
  const tuple = (prefix: string) => `(${names.map((name) => `${prefix}.${name}`).join(', ')})`
  const change =
    rest.length === 0 ? 'nothing' : `update set ${rest.map((one) => `${one} = excluded.${one}`).join(', ')}`
  return `
    create function ${staging}.copy_change() returns trigger language plpgsql security definer set search_path = pg_catalog as $copy$
    begin
      if tg_op = 'TRUNCATE' then
        delete from ${staging}.whole;
        return null;
      end if;
      if tg_op <> 'INSERT' and (tg_op = 'DELETE' or ${tuple('old')} is distinct from ${tuple('new')}) then
        delete from ${staging}.whole w where ${tuple('w')} = ${tuple('old')};
      end if;
      if tg_op <> 'DELETE' then
        insert into ${staging}.whole (${columns.join(', ')}) values (${columns.map((column) => `new.${column}`).join(', ')})
        on conflict (${names.join(', ')}) do ${change};
      end if;
      return null;
    end $copy$;
    create trigger copy_change after insert or update or delete on ${old} for each row execute function ${staging}.copy_change();
    create trigger copy_truncate after truncate on ${old} for each statement execute function ${staging}.copy_change();
    alter table ${old} enable always trigger copy_change;
    alter table ${old} enable always trigger copy_truncate;`
}

/**
 * Copies the next rows by key. They are locked against changes until they stand in the copy: a row that is deleted between reading and writing would come back there. A row that the trigger has
 * brought is newer and stays. Answers whether that was the last.
 */
export async function copyBatch(tx: Db, shape: Shape, { name }: Partition, batch: number): Promise<Progress> {
  const { ours, staging } = await stagingOf(tx)
  const [at] = await tx.query<{ after: string[] | null; rows: number }>(
    sql`select after, rows from ${staging}.progress where partition = ${name}::text for update`,
  )
  const columns = listed(shape.columns)
  const key = listed(shape.key.map((column) => column.name))
  const behind = (after: readonly string[] | null) =>
    after === null
      ? raw('true')
      : sql`(${key}) > (${join(shape.key.map(({ type }, i) => sql`${after[i]!}::${raw(type)}`))})`
  const texts = join(shape.key.map((column) => raw(`${column.name}::text`)))
  const backwards = join(shape.key.map((column) => raw(`${column.name} desc`)))
  const [put] = await tx.query<{ rows: number; last: string[] | null }>(sql`
    with taken as (select * from only ${ours}.${identifier(name)} where ${behind(at!.after)} order by ${key} limit ${batch}::int for share),
    put as (insert into ${staging}.whole (${columns}) select ${columns} from taken on conflict do nothing)
    select count(*) as rows, (select array[${texts}] from taken order by ${backwards} limit 1) as last from taken`)
  const after = put!.last ?? at!.after
  const rows = at!.rows + put!.rows
  // Rows that were being deleted are passed over, so few rows need not be the last ones.
  const [more] = await tx.query<{ is: boolean }>(
    sql`select exists (select from only ${ours}.${identifier(name)} where ${behind(after)}) as is`,
  )
  await tx.execute(sql`
    update ${staging}.progress set after = ${after === null ? null : [...after]}::text[], rows = ${rows}::bigint,
      copied_by = ${more!.is ? raw('null') : raw('pg_current_xact_id()')} where partition = ${name}::text`)
  return { after, rows, isWhole: !more!.is }
}

/** Rows of which partition and copy say something else, seen in one moment: none while the trigger does its work. */
export async function countDifferences(db: Db, shape: Shape, { name }: Partition): Promise<number> {
  const { ours, staging } = await stagingOf(db)
  const keys = shape.key.map((column) => column.name)
  const row = (prefix: string) => listed(shape.columns, prefix)
  const [found] = await db.query<{ rows: number }>(
    sql`
      select count(*) as rows from only ${ours}.${identifier(name)} o full join ${staging}.whole w using (${listed(keys)})
      where (${row('o.')}) is distinct from (${row('w.')})`,
    { timeoutMs: 0 },
  )
  return found!.rows
}

/**
 * Whether a transaction still uses a snapshot from before the copy was complete: in that snapshot the partition has rows that its parts do not have. Counts standbys with `hot_standby_feedback`.
 * Null: unknown, because our database user may not see the snapshots of other users' sessions.
 */
export async function isStillSeenBefore(db: Db, { name }: Partition): Promise<boolean | null> {
  const { staging } = await stagingOf(db)
  const [row] = await db.query<{ seen: boolean; hidden: boolean }>(sql`
    with bound as (select age(p.copied_by::xid) as age from ${staging}.progress p where p.partition = ${name}::text),
    moments as (
      select a.backend_xmin as xmin from pg_stat_activity a
      where a.pid <> pg_backend_pid() and (a.datname = current_database() or a.backend_type = 'walsender')
      union all select s.xmin from pg_replication_slots s)
    select exists (select from moments m cross join bound b where m.xmin is not null and age(m.xmin) >= b.age) as seen,
      exists (select from pg_stat_activity a where a.datname = current_database() and a.usesysid is not null and a.query = '<insufficient privilege>') as hidden`)
  return row!.hidden ? null : row!.seen
}

/** Whether somebody has used the table or the partition for longer in one transaction than anybody would be kept waiting. */
export async function isHeld(db: Db, table: string, name: string, ms: number): Promise<boolean> {
  const [row] = await db.query<{ is: boolean }>(sql`
    select exists (
      select from pg_locks l join pg_stat_activity a on a.pid = l.pid
      where l.relation in (${OF_TABLE(table)}, ${OF_TABLE(name)}) and l.granted and l.pid <> pg_backend_pid()
        and a.xact_start < clock_timestamp() - make_interval(secs => ${ms / 1000}::float8)) as is`)
  return row!.is
}

/** Puts the parts into the place of the partition. Nobody reads or writes the table meanwhile, for some milliseconds: nothing is read, no row is touched. */
export async function swap(
  tx: Db,
  shape: Shape,
  { name, modulus, remainder }: Partition,
  partitions: number,
): Promise<void> {
  const { ours, staging } = await stagingOf(tx)
  const parent = sql`${ours}.${identifier(shape.table)}`
  await tx.execute(sql`lock table only ${parent} in access exclusive mode`)
  await tx.execute(sql`drop table ${ours}.${identifier(name)}`)
  for (let place = remainder; place < partitions; place += modulus) {
    const part = identifier(`${shape.table}_${place}`)
    await tx.execute(sql`alter table ${staging}.whole detach partition ${staging}.${part}`)
    await tx.execute(sql`alter table ${staging}.${part} set schema ${ours}`)
    await tx.execute(sql`
      alter table ${parent} attach partition ${ours}.${part} for values with (modulus ${raw(String(partitions))}, remainder ${raw(String(place))})`)
    await tx.execute(sql`alter table ${ours}.${part} drop constraint place`)
  }
  await tx.execute(sql`drop schema ${staging} cascade`)
}

/** Takes away what is half done, if there is something. The table stays as it is: whole partitions of the smaller and of the larger number side by side. */
export async function dropCopies(db: Db): Promise<void> {
  const [row] = await db.query<{ is: boolean }>(
    sql`select to_regnamespace(quote_ident(current_schema() || '_partitions')) is not null as is`,
  )
  if (!row!.is) return
  const { staging } = await stagingOf(db)
  await db.execute(sql`drop schema ${staging} cascade`)
}
