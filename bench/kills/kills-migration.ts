import sql from 'sql-template-tag'
import { checksumTable, listBackupTables } from '#server/platform/engine/backup/backup-tables.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { listKnownMigrations, migrateDatabase } from '#server/platform/engine/migrate-database.ts'
import type { Stage } from './kills-stage.ts'
import type { KillRun } from './kills-world.ts'

const OLD_VERSIONS = [1, 4, 8, 11]
const OLD_PROJECTS = 20_000

/**
 * Starts the new version on an old database and kills it during migration until a start succeeds. The schema must then
 * equal that of a new database, and every old row must be there.
 */
export async function killDuringMigration(stage: Stage, { kills, random, outcome, say }: KillRun): Promise<void> {
  const newest = (await listKnownMigrations()).at(-1)!.number
  const old: { name: string; rowSums: string }[] = []
  const reference = await makeNew(stage)
  for (const version of OLD_VERSIONS) old.push({ name: `old_${version}`, rowSums: await makeOld(stage, version) })
  // A start with all migrations is measured first, and the kills are spread over its duration.
  await stage.putBack(old[0]!.name)
  const first = await stage.start()
  stage.starts.pop()
  await first.stop()
  const usualMs = first.readyAfterMs

  for (let kill = 1; kill <= kills; kill += 1) {
    const { name, rowSums } = old[kill % old.length]!
    await stage.putBack(name)
    await stage.startAndKill(usualMs * (0.25 + 0.75 * random()))
    if (kill % 5 === 0) await stage.breakDatabase()
    const server = await stage.start()
    await server.stop()
    const db = await stage.open()
    const shape = await shapeOf(db)
    const applied = await db.query<{ number: number }>(sql`select number from schema_migrations order by number`)
    const rows = await storedRows(db)
    await db.close()
    if (shape !== reference || applied.at(-1)?.number !== newest)
      outcome.halfApplied.push(`kill ${kill}: from ${name}: the schema differs from that of a new database`)
    if (rows !== rowSums) outcome.lost.push(`kill ${kill}: from ${name}: ${rows}, before ${rowSums}`)
    outcome.acknowledged += 1
    say(`${stage.engine} migration ${kill}: from ${name}`)
  }
}

async function makeNew(stage: Stage): Promise<string> {
  const db = await stage.open()
  await migrateDatabase(db)
  const shape = await shapeOf(db)
  await db.close()
  return shape
}

/**
 * Creates a database as an old version left it, stored as `old_<version>`; returns the row sums to expect afterwards.
 */
async function makeOld(stage: Stage, version: number): Promise<string> {
  const db = await stage.open()
  await db.script('drop schema public cascade; create schema public')
  await migrateDatabase(db, { upTo: version })
  await db.script(`
    insert into organisations (code, name, package, customer_config, areas_with_provinces)
      select 'o' || n, 'องค์กร ' || n, 'standard', '{}', '{}' from generate_series(1, 50) n;
    insert into users (organisation_id, email, email_key, password_hash) select id, code || '@x.example', code || '@x.example', '-' from organisations;
    insert into loads (source, origin, state, published_at) values ('test', 'test', 'published', now());
    insert into departments (name, sub_name, province) select 'กรม ' || n, '', 10 from generate_series(1, 100) n;
    insert into projects (project_id, name, name_search, name_spaced, department_id, status, movement, method, method_type, source, first_load,
        changed_load, written_load)
      select (67000000000 + n)::text, 'โครงการ ' || n, 'โครงการ' || n, 'โครงการ ' || n, (select min(id) from departments) + n % 100, 'in_progress', 'invited',
        'e_bidding', 'buy', 'test', l.id, l.id, l.id from generate_series(1, ${OLD_PROJECTS}) n cross join loads l`)
  const rowSums = await storedRows(db)
  await db.close()
  await stage.keep(`old_${version}`)
  return rowSums
}

const COMPARED_TABLES = ['departments', 'projects']

async function storedRows(db: Db): Promise<string> {
  const sums: string[] = []
  const columns = ['project_id', 'name', 'department_id', 'written_load', 'id', 'sub_name']
  for (const table of await listBackupTables(db))
    if (COMPARED_TABLES.includes(table.name)) {
      const old = { ...table, columns: table.columns.filter(({ name }) => columns.includes(name)) }
      const { rows, hash } = await checksumTable(db, old)
      sums.push(`${table.name} ${rows} ${hash}`)
    }
  const [people] = await db.query<{ n: number }>(sql`
    select count(*) as n from users u join organisations o on o.id = u.organisation_id where u.email = o.code || '@x.example'`)
  return [...sums, `users ${people!.n}`].join(', ')
}

async function shapeOf(db: Db): Promise<string> {
  const rows = await db.query<{ line: string }>(sql`
    with ours as (select c.oid, c.relname from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p'))
    select o.relname || ' ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || ' ' || a.attnotnull as line
      from ours o join pg_attribute a on a.attrelid = o.oid where a.attnum > 0 and not a.attisdropped
    union all select pg_get_indexdef(i.indexrelid) from pg_index i join ours o on o.oid = i.indrelid
    union all select o.relname || ' ' || k.conname || ' ' || pg_get_constraintdef(k.oid) from pg_constraint k join ours o on o.oid = k.conrelid
      where k.contype <> 'n'
    union all select tablename || ' ' || policyname || ' ' || coalesce(qual, '') from pg_policies where schemaname = 'public'
    order by 1`)
  return rows.map(({ line }) => line).join('\n')
}
