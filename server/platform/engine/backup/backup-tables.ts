import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import type { BackupColumn, BackupSequence } from './backup-format.ts'

const SCHEMA = raw('(select oid from pg_namespace where nspname = current_schema())')
/**
 * Selects the application's tables, excluding partitions, tables that belong to extensions, and `schema_migrations`,
 * which the migrations fill.
 */
const APP_TABLES = raw(`c.relnamespace = (select oid from pg_namespace where nspname = current_schema())
  and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'schema_migrations'
  and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`)

/** Settings that make both engines format values identically, whatever their configuration. */
export const VALUE_FORMAT_SETTINGS_SQL =
  "set local timezone = 'UTC'; set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres'; set local bytea_output = 'hex'; set local extra_float_digits = 1"

export const quoteIdentifier = (name: string): Sql => raw(`"${name.replaceAll('"', '""')}"`)

export type ListedBackupTable = { readonly name: string; readonly columns: readonly BackupColumn[] }

export async function listBackupTables(db: Db): Promise<ListedBackupTable[]> {
  const rows = await db.query<{ name: string; columns: string[]; types: string[] }>(sql`
    select c.relname::text as name, array_agg(a.attname::text order by a.attnum) as columns,
      array_agg(format_type(a.atttypid, a.atttypmod) order by a.attnum) as types
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where ${APP_TABLES}
    group by c.relname order by c.relname collate "C"`)
  return rows.map(({ name, columns, types }) => ({
    name,
    columns: columns.map((column, at) => ({ name: column, type: types[at]! })),
  }))
}

export async function listTableHeaps(
  db: Db,
  table: string,
): Promise<{ name: string; blocks: number; bytes: number }[]> {
  return await db.query(sql`
    with heap as (
      select c.oid from pg_class c where c.relnamespace = ${SCHEMA} and c.relname = ${table}::text and c.relkind = 'r'
      union all
      select t.relid from pg_class c cross join lateral pg_partition_tree(c.oid) t
      where c.relnamespace = ${SCHEMA} and c.relname = ${table}::text and c.relkind = 'p' and t.isleaf)
    select oid::regclass::text as name, pg_relation_size(oid) / current_setting('block_size')::int as blocks, pg_table_size(oid) as bytes
    from heap order by 1`)
}

export async function countTableRows(db: Db, table: string): Promise<number> {
  const [row] = await db.query<{ n: number }>(sql`select count(*) as n from ${quoteIdentifier(table)}`)
  return row!.n
}

const asTexts = (columns: readonly BackupColumn[], from: Sql) =>
  sql`select ${join(columns.map(({ name }, at) => sql`${quoteIdentifier(name)}::text as ${raw(`c${at}`)}`))} from ${from}`

/**
 * Sum of 56 bits of each row's SHA-256: independent of engine and row order; changes when a row is lost, duplicated or
 * modified.
 */
const ROW_HASH = raw(
  "coalesce(sum(('x' || encode(substring(sha256(convert_to(r::text, 'UTF8')) for 7), 'hex'))::bit(56)::bigint), 0)::text",
)

export async function checksumTable(db: Db, table: ListedBackupTable): Promise<{ rows: number; hash: string }> {
  const [sum] = await db.query<{ rows: number; hash: string }>(
    sql`select count(*) as rows, ${ROW_HASH} as hash from (${asTexts(table.columns, sql`${quoteIdentifier(table.name)}`)}) r`,
  )
  return sum!
}

export type BackupRowBlock = { readonly rows: number; readonly hash: string; readonly columns: string[] }

/** Reads the rows of one heap in the ctid range [from, to) as one array literal per column, unparsed. */
export async function readRowBlock(
  db: Db,
  { columns }: ListedBackupTable,
  heap: string,
  [from, to]: readonly [string, string],
): Promise<BackupRowBlock> {
  const arrays = columns.map((_, at) => raw(`array_agg(r.c${at})::text as c${at}`))
  const range = sql`only ${raw(heap)} where ctid >= ${from}::tid and ctid < ${to}::tid`
  const [row] = await db.query<Record<string, string> & { rows: number; hash: string }>(
    sql`select count(*) as rows, ${ROW_HASH} as hash, ${join(arrays)} from (${asTexts(columns, range)}) r`,
  )
  return { rows: row!.rows, hash: row!.hash, columns: columns.map((_, at) => row![`c${at}`]!) }
}

export async function insertRowBlock(db: Db, table: ListedBackupTable, arrays: readonly string[]): Promise<number> {
  const { name, columns } = table
  const values = columns.map((column, at) => raw(`t.c${at}::${column.type}`))
  return await db.execute(sql`
    insert into ${quoteIdentifier(name)} (${join(columns.map((column) => quoteIdentifier(column.name)))}) overriding system value
    select ${join(values)} from unnest(${join(arrays.map((array) => sql`${array}::text[]`))}) as t (${join(columns.map((_, at) => raw(`c${at}`)))})`)
}

export async function listSequences(db: Db): Promise<BackupSequence[]> {
  return await db.query<BackupSequence>(sql`
    select c.relname::text as "table", a.attname::text as "column", s.last_value as last
    from pg_depend d
    join pg_class q on q.oid = d.objid and q.relkind = 'S'
    join pg_class c on c.oid = d.refobjid
    join pg_attribute a on a.attrelid = c.oid and a.attnum = d.refobjsubid
    join pg_sequences s on s.schemaname = current_schema() and s.sequencename = q.relname
    where d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass and d.deptype in ('a', 'i')
      and s.last_value is not null and ${APP_TABLES}
    order by 1, 2`)
}

export async function setSequenceValue(db: Db, { table, column, last }: BackupSequence): Promise<void> {
  await db.query(
    sql`select setval(pg_get_serial_sequence(quote_ident(${table}::text), ${column}::text), ${last}::bigint)`,
  )
}
