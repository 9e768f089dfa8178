import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Db } from './db.ts'

/**
 * Demo schema: a second schema with tables of the same names, which demo users see instead of the real shared tables.
 * For demo users, names resolve in this schema first, so the same statements serve all users, and users of the real
 * tables cannot reach the demo tables (decision 0053).
 */

const NO_LIMIT = { timeoutMs: 0 }

export const DEMO_SCHEMA_EXISTS_SQL = sql`(to_regclass(quote_ident(current_schema() || '_sample') || '.projects') is not null)`

export async function hasDemoSchema(db: Db): Promise<boolean> {
  const [row] = await db.query<{ is: boolean }>(sql`select ${DEMO_SCHEMA_EXISTS_SQL} as is`)
  return row!.is
}

export type DemoTable = { readonly table: string; readonly rows: Sql }

/**
 * Copies these rows into a new demo schema with the same columns and indexes, replacing the previous one. The real
 * tables do not change. Rejects with a `StatementError` when the database user may not create schemas.
 */
export async function createDemoSchema(tx: Db, tables: readonly DemoTable[]): Promise<void> {
  const schema = await schemaName(tx)
  await tx.execute(sql`drop schema if exists ${schema} cascade`, NO_LIMIT)
  await tx.execute(sql`create schema ${schema}`)
  for (const { table, rows } of tables) {
    await makeTable(tx, schema, table)
    const columns = columnList(await columnsOf(tx, sql`${table}::text::regclass`))
    await tx.execute(
      sql`insert into ${schema}.${raw(table)} (${columns}) select ${columns} from ${raw(table)} where ${rows}`,
      NO_LIMIT,
    )
    await tx.execute(sql`analyze ${schema}.${raw(table)}`, NO_LIMIT)
  }
  await tx.execute(sql`grant usage on schema ${schema} to tamngan_tenant`)
  await tx.execute(sql`grant select on all tables in schema ${schema} to tamngan_tenant`)
}

/**
 * Recreates demo tables whose columns differ from the real ones, retaining the values of common columns. Run this after
 * a migration. No-op without a demo schema.
 */
export async function alignDemoSchema(tx: Db): Promise<void> {
  if (!(await hasDemoSchema(tx))) return
  const schema = await schemaName(tx)
  const tables = await tx.query<{ table: string; ours: boolean }>(sql`
    select c.relname::text as table, to_regclass(quote_ident(current_schema()) || '.' || quote_ident(c.relname)) is not null as ours
    from pg_class c where c.relnamespace = quote_ident(current_schema() || '_sample')::regnamespace and c.relkind = 'r'`)
  for (const { table, ours } of tables) {
    const demoTable = sql`(quote_ident(current_schema() || '_sample') || '.' || quote_ident(${table}::text))::regclass`
    if (!ours) {
      await tx.execute(sql`drop table ${schema}.${raw(table)}`)
      continue
    }
    const [now, before] = [await columnsOf(tx, sql`${table}::text::regclass`), await columnsOf(tx, demoTable)]
    const previousColumns = new Set(before)
    if (now.join() === before.join()) continue
    await tx.execute(sql`alter table ${schema}.${raw(table)} rename to before`)
    await makeTable(tx, schema, table)
    const commonColumns = columnList(now.filter((column) => previousColumns.has(column)))
    await tx.execute(
      sql`insert into ${schema}.${raw(table)} (${commonColumns}) select ${commonColumns} from ${schema}.before`,
      NO_LIMIT,
    )
    await tx.execute(sql`drop table ${schema}.before`)
    await tx.execute(sql`grant select on ${schema}.${raw(table)} to tamngan_tenant`)
  }
}

async function schemaName(db: Db): Promise<Sql> {
  const [row] = await db.query<{ name: string }>(sql`select quote_ident(current_schema() || '_sample') as name`)
  return raw(row!.name)
}

/** Creates the table without identities, foreign keys, triggers or policies, because requests only read it. */
async function makeTable(tx: Db, schema: Sql, table: string): Promise<void> {
  await tx.execute(sql`
    create table ${schema}.${raw(table)} (like ${raw(table)}
      including defaults including constraints including generated including indexes including storage)`)
}

async function columnsOf(db: Db, table: Sql): Promise<string[]> {
  const rows = await db.query<{ name: string }>(sql`
    select quote_ident(a.attname) as name from pg_attribute a
    where a.attrelid = ${table} and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum`)
  return rows.map(({ name }) => name)
}

const columnList = (columns: readonly string[]): Sql => join(columns.map((column) => raw(column)))
