import sql, { join, raw, type Sql } from 'sql-template-tag'
import { identifier } from '../backup/backup-tables.ts'
import type { Db } from '../db.ts'

/** A table that a copy is divided into. `bound`: as `for values` says it; `place`: the same as a condition, so that it is attached without being read. */
export type Part = { readonly name: string; readonly bound: string; readonly place: string }
/** What is copied, into what. */
export type Copy = {
  readonly table: string
  /** A partition of the table, or the table itself with all that it holds. */
  readonly source: string
  /** What stands behind `partition by`; undefined: one table without partitions, and no parts. */
  readonly by: string | undefined
  readonly parts: readonly Part[]
  /** Where the first part lies; undefined: where the database lies. */
  readonly tablespace?: string | undefined
}
/** What a table is made of, with the names as they stand in statements. */
export type Shape = {
  readonly table: string
  /** Columns that are stored, not worked out by the database. */
  readonly columns: readonly string[]
  /** Of the primary key, with their types. */
  readonly key: readonly { readonly name: string; readonly type: string }[]
}
/** How far a copy has come. `after`: the last key that was copied, as texts. */
export type Progress = { readonly after: readonly string[] | null; readonly rows: number; readonly isWhole: boolean }

export const OF_TABLE = (table: string) =>
  sql`to_regclass(quote_ident(current_schema()) || '.' || quote_ident(${table}::text))`

/** What follows `from` for the partitions of a table: `c` is the partition in `pg_class`, `b.bound` its rule as the catalog prints it (`FOR VALUES …`). Ends with a condition. */
export const PARTITIONS_OF = (table: string) => sql`
  pg_inherits i join pg_class c on c.oid = i.inhrelid cross join lateral (select pg_get_expr(c.relpartbound, c.oid) as bound) b
  where i.inhparent = ${OF_TABLE(table)}`

/** Schema of the copies, beside ours: what is half done is in nobody's backup, and no request can enter it. */
export async function stagingOf(db: Db): Promise<{ ours: Sql; staging: Sql }> {
  const [row] = await db.query<{ ours: string; staging: string }>(
    sql`select quote_ident(current_schema()) as ours, quote_ident(current_schema() || '_partitions') as staging`,
  )
  return { ours: raw(row!.ours), staging: raw(row!.staging) }
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
/** Equal for copies of which one can go on where the other stopped. */
const madeAs = ({ by, parts, tablespace }: Copy) =>
  JSON.stringify([by, tablespace, ...parts.map(({ name, bound }) => [name, bound])])

/** The copy that was begun of this source into these parts, when all of it is still there and has the columns of today. */
export async function progressOf(db: Db, { columns }: Shape, copy: Copy): Promise<Progress | undefined> {
  const [there] = await db.query<{ is: boolean }>(sql`
    select exists (select from pg_attribute where attrelid = to_regclass(quote_ident(current_schema() || '_partitions') || '.progress') and attname = 'made_as')
      and exists (select from pg_trigger where tgrelid = ${OF_TABLE(copy.source)} and tgname = 'copy_change') as is`)
  if (!there!.is) return undefined
  const { staging } = await stagingOf(db)
  const [row] = await db.query<Progress>(sql`
    select after, rows, copied_by is not null as "isWhole" from ${staging}.progress
    where source = ${copy.source}::text and made_as = ${madeAs(copy)}::text and columns = ${[...columns]}::text[]`)
  return row
}

/**
 * Begins the copy: empty parts, and a trigger that repeats in them whatever is written to the source from here on. Parts of a partition carry the rule of their place, so that they are attached
 * later without being read. Waits for whoever is writing the source.
 */
export async function beginCopy(tx: Db, shape: Shape, copy: Copy): Promise<void> {
  const { ours, staging } = await stagingOf(tx)
  const old = sql`${ours}.${identifier(copy.source)}`
  const whole = sql`${staging}.whole`
  await dropCopies(tx)
  await tx.execute(sql`create schema ${staging}`)
  await tx.execute(sql`
    create table ${staging}.progress (
      source text primary key, made_as text not null, columns text[] not null, after text[], rows bigint not null default 0, copied_by xid8)`)
  // A divided table has no storage options of its own: those of one of its partitions are taken.
  const [kept] = await tx.query<{ owner: string; options: string | null }>(sql`
    select quote_ident(pg_get_userbyid(c.relowner)) as owner, (
      select array_to_string(x.reloptions, ', ') from pg_class x
      where (x.oid = c.oid or x.oid in (select i.inhrelid from pg_inherits i where i.inhparent = c.oid)) and x.reloptions is not null order by x.oid desc limit 1) as options
    from pg_class c where c.oid = ${OF_TABLE(copy.source)}`)
  const options = raw(kept!.options === null ? '' : `with (${kept!.options})`)
  const belongs = async (table: Sql) => await tx.execute(sql`alter table ${table} owner to ${raw(kept!.owner)}`)
  await tx.execute(sql`
    create table ${whole} (like ${old} including all) ${copy.by === undefined ? options : raw(`partition by ${copy.by}`)}`)
  await belongs(whole)
  for (const [at, { name, bound, place }] of copy.parts.entries()) {
    const part = sql`${staging}.${identifier(name)}`
    const rule = copy.source === copy.table ? raw('') : raw(`(constraint place check (${place}))`)
    // Its indexes follow.
    const disk = at === 0 ? (copy.tablespace ?? '') : ''
    await tx.query(sql`select set_config('default_tablespace', ${disk}::text, true)`)
    await tx.execute(sql`create table ${part} partition of ${whole} ${rule} for values ${raw(bound)} ${options}`)
    await belongs(part)
  }
  await tx.script(triggerText(shape, old.sql, staging.sql))
  await tx.execute(
    sql`insert into ${staging}.progress (source, made_as, columns) values (${copy.source}::text, ${madeAs(copy)}::text, ${[...shape.columns]}::text[])`,
  )
}

/** With the rights of the owner: whoever may write a row need not know of the copy. `always`: loads of large files write in a role in which triggers rest. */
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
export async function copyBatch(tx: Db, shape: Shape, { source }: Copy, batch: number): Promise<Progress> {
  const { ours, staging } = await stagingOf(tx)
  const old = sql`${ours}.${identifier(source)}`
  const [at] = await tx.query<{ after: string[] | null; rows: number }>(
    sql`select after, rows from ${staging}.progress where source = ${source}::text for update`,
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
    with taken as (select * from ${old} where ${behind(at!.after)} order by ${key} limit ${batch}::int for share),
    put as (insert into ${staging}.whole (${columns}) select ${columns} from taken on conflict do nothing)
    select count(*) as rows, (select array[${texts}] from taken order by ${backwards} limit 1) as last from taken`)
  const after = put!.last ?? at!.after
  const rows = at!.rows + put!.rows
  // Rows that were being deleted are passed over, so few rows need not be the last ones.
  const [more] = await tx.query<{ is: boolean }>(sql`select exists (select from ${old} where ${behind(after)}) as is`)
  await tx.execute(sql`
    update ${staging}.progress set after = ${after === null ? null : [...after]}::text[], rows = ${rows}::bigint,
      copied_by = ${more!.is ? raw('null') : raw('pg_current_xact_id()')} where source = ${source}::text`)
  return { after, rows, isWhole: !more!.is }
}

/** Rows of which source and copy say something else, seen in one moment: none while the trigger does its work. */
export async function countDifferences(db: Db, shape: Shape, { source }: Copy): Promise<number> {
  const { ours, staging } = await stagingOf(db)
  const keys = shape.key.map((column) => column.name)
  const row = (prefix: string) => listed(shape.columns, prefix)
  const [found] = await db.query<{ rows: number }>(
    sql`
      select count(*) as rows from ${ours}.${identifier(source)} o full join ${staging}.whole w using (${listed(keys)})
      where (${row('o.')}) is distinct from (${row('w.')})`,
    { timeoutMs: 0 },
  )
  return found!.rows
}

/** Takes away what is half done, if there is something. The table stays as it is. */
export async function dropCopies(db: Db): Promise<void> {
  const [row] = await db.query<{ is: boolean }>(
    sql`select to_regnamespace(quote_ident(current_schema() || '_partitions')) is not null as is`,
  )
  if (!row!.is) return
  const { staging } = await stagingOf(db)
  await db.execute(sql`drop schema ${staging} cascade`)
}
