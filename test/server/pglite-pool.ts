import { readFileSync } from 'node:fs'
import sql, { raw } from 'sql-template-tag'
import { createDb } from '#server/platform/engine/create-db.ts'
import type { DatabaseEngine } from '#server/platform/engine/database-engine.ts'
import { DbUnavailableError, type OpenDb } from '#server/platform/engine/db.ts'
import { openPglite } from '#server/platform/engine/pglite.ts'
import { runWithoutTenant } from '#server/platform/engine/tenant.ts'

type Pooled = { readonly engine: DatabaseEngine; readonly db: OpenDb; readonly start: Start }
type Start = { readonly schema: string; readonly tables: readonly TableRows[]; readonly sequences: readonly Sequence[] }
type TableRows = { readonly name: string; readonly rows: string }
type Sequence = { readonly name: string; readonly last: string }

/**
 * Databases to reuse: opening one takes 0.8 s of CPU time, emptying one a twentieth of that. Vitest keeps this module
 * loaded for all files of a worker.
 */
const idle: Pooled[] = []
/** Maximum number of idle databases, which take half a gigabyte each. */
const MAX_IDLE = 2

/**
 * Takes a migrated, empty in-memory database. Closing empties it for the next test; one with a changed schema or a dead
 * engine is discarded.
 */
export async function leasePglite(snapshotFile: string): Promise<OpenDb> {
  const pooled = idle.pop() ?? (await open(snapshotFile))
  let closed: Promise<void> | undefined
  // Each test gets a new handle, because product caches belong to a handle and work left over from one test must not
  // reach the next.
  return createDb({
    name: pooled.engine.name,
    lease: (waitMs) =>
      closed === undefined
        ? pooled.engine.lease(waitMs)
        : Promise.reject(new DbUnavailableError('the database is closed')),
    close() {
      closed ??= giveBack(pooled)
      return closed
    },
  })
}

async function open(snapshotFile: string): Promise<Pooled> {
  const unref = (worker: { unref(): void }) => worker.unref()
  process.on('worker', unref)
  const engine = await openPglite({ snapshot: new Uint8Array(readFileSync(snapshotFile)) })
  process.off('worker', unref)
  const db = createDb(engine)
  return await runWithoutTenant(async () => ({ engine, db, start: await startOf(db) }))
}

async function giveBack(pooled: Pooled): Promise<void> {
  const isLikeNew = idle.length < MAX_IDLE && (await runWithoutTenant(() => empty(pooled)).catch(() => false))
  if (isLikeNew) idle.push(pooled)
  else await pooled.engine.close()
}

async function startOf(db: OpenDb): Promise<Start> {
  const names = await db.query<{ name: string }>(sql`select oid::regclass::text as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace and pg_relation_size(oid) > 0`)
  const tables: TableRows[] = []
  for (const { name } of names) {
    const [row] = await db.query<{ rows: string }>(sql`select json_agg(t)::text as rows from ${raw(name)} t`)
    if (row!.rows !== null) tables.push({ name, rows: row!.rows })
  }
  const sequences =
    await db.query<Sequence>(sql`select format('%I.%I', schemaname, sequencename) as name, last_value::text as last
    from pg_sequences where last_value is not null`)
  return { schema: await schemaOf(db), tables, sequences }
}

/** Returns a text about everything that a test may change besides rows. Equal texts mean equal schemas. */
async function schemaOf(db: OpenDb): Promise<string> {
  const catalogs = [
    'pg_attribute',
    'pg_attrdef',
    'pg_authid',
    'pg_auth_members',
    'pg_constraint',
    'pg_db_role_setting',
    'pg_extension',
    'pg_index',
    'pg_namespace',
    'pg_policy',
    'pg_proc',
    'pg_trigger',
    'pg_type',
  ]
  // The maximum xmin reveals changed rows, because a change gives a row a new xmin.
  const parts = catalogs.map((name) => `(select count(*) || '/' || max(xmin::text::bigint) from ${name})`)
  const relations = `(select md5(string_agg(concat_ws('/', oid, relname, relkind, relrowsecurity, relforcerowsecurity, relacl, reloptions), ' '
    order by oid)) from pg_class where relnamespace <> 'pg_toast'::regnamespace)`
  const [row] = await db.query<{ schema: string }>(
    sql`select concat_ws(' ', ${raw([...parts, relations].join(', '))}) as schema`,
  )
  return row!.schema
}

// Empties the database with triggers and foreign keys disabled. Statistics are deleted too, because those of deleted
// rows would mislead the planner.
const EMPTY = `
  set session_replication_role = replica;
  set allow_system_table_mods = on;
  do $$
  declare
    filled text;
    behind record;
  begin
    select string_agg(oid::regclass::text, ', ') into filled from pg_class
      where relkind = 'r' and oid >= 16384 and relnamespace = 'public'::regnamespace and pg_relation_size(oid) > 0;
    if filled is not null then execute 'truncate ' || filled || ' restart identity cascade'; end if;
    for behind in select schemaname, sequencename, start_value from pg_sequences where last_value is not null loop
      perform setval(format('%I.%I', behind.schemaname, behind.sequencename), behind.start_value, false);
    end loop;
    delete from pg_statistic where starelid >= 16384;
  end $$`

/**
 * Resets a session like `discard all`, but without `deallocate all`: the product assumes that its named statements
 * still exist, and a missing one cannot be prepared again inside a transaction.
 */
const FORGET = `close all; set session authorization default; reset all; unlisten *; select pg_advisory_unlock_all();
  discard plans; discard temp; discard sequences`

async function empty({ engine, db, start }: Pooled): Promise<boolean> {
  // Wait for work left over from a test, but not for work that hangs.
  ;(await engine.lease(10_000)).release()
  await db.script(FORGET)
  if ((await schemaOf(db)) !== start.schema) return false
  await db.script(EMPTY)
  for (const { name, rows } of start.tables)
    await db.execute(sql`insert into ${raw(name)} overriding system value
      select * from json_populate_recordset(null::${raw(name)}, ${rows}::json)`)
  for (const { name, last } of start.sequences) await db.execute(sql`select setval(${name}, ${last}::bigint)`)
  await db.script(FORGET)
  return true
}
