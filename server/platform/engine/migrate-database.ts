import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import sql from 'sql-template-tag'
import type { Db } from './db.ts'
import { alignDemoSchema } from './demo-schema.ts'
import { buildIndexesOnline, ONLINE_MIGRATION_MARKER } from './online-migration.ts'

type Migration = { readonly number: number; readonly name: string; readonly text: string; readonly checksum: string }
type Applied = { readonly number: number; readonly name: string; readonly checksum: string }

const FOLDER = new URL('./migrations/', import.meta.url)
const FILE_NAME = /^(\d{4})_[a-z0-9_]+\.sql$/
// Arbitrary advisory lock id. The process that has this lock creates the migrations table.
const PREPARATION_LOCK = 71_104

/**
 * Rules of the Thai collation, which sorts as in Node and in browsers. PostgreSQL 15 has ICU's own tailoring. PGlite's
 * ICU data lacks it, so there (and on PostgreSQL 16 and later, where rules exist) the same order is spelled out.
 * Queries use `collate thai` on both, with the id as last sort key.
 */
const THAI_RULES =
  '[normalization on][alternate shifted][reorder Thai]&[before 1]๚<ฯ&๛<ๆ&๎<<์&[before 1]ะ<ํ&า<<<ๅ&าํ<<<ํา<<<ำ&ๅํ<<<ํๅ&ไ<ฺ'
const PREPARATION = `
create table if not exists schema_migrations (
  number int primary key,
  name text not null,
  checksum text not null,
  applied_at timestamptz not null default now()
);
do $$
begin
  if exists (select from pg_collation where collname = 'thai') then
    return;
  elsif current_setting('server_version_num')::int >= 160000 then
    execute $rules$create collation thai (provider = icu, locale = 'und', rules = '${THAI_RULES}')$rules$;
  else
    create collation thai from "th-x-icu";
  end if;
end $$;
`

/**
 * Migrates the schema to the newest version. Safe to run in several processes at once: each migration is claimed by its
 * number first. Rejects when a shipped migration was edited, or when the database is newer than this program. `upTo`:
 * the last migration to apply. `isExclusive`: `db` is a transaction without concurrent users, so online migrations
 * build their indexes inside it.
 */
export async function migrateDatabase(
  db: Db,
  { upTo = Number.POSITIVE_INFINITY, isExclusive = false }: { upTo?: number; isExclusive?: boolean } = {},
): Promise<void> {
  const migrations = await readMigrations()
  // Usually the schema is up to date. Checking that needs neither the lock nor PL/pgSQL.
  if (isUpToDate(await appliedIn(db), migrations)) return
  await db.transaction(
    async (tx) => {
      await tx.query(sql`select pg_advisory_xact_lock(${PREPARATION_LOCK})`)
      await tx.script(PREPARATION)
    },
    { idleTimeoutMs: 0 },
  )
  const applied = await appliedIn(db)
  for (const past of applied) assertUnchanged(past, migrations)
  const done = new Set(applied.map(({ number }) => number))
  for (const migration of migrations)
    if (!done.has(migration.number) && migration.number <= upTo) await apply(db, migration, isExclusive)
}

export async function isDatabaseMigrated(db: Db): Promise<boolean> {
  return isUpToDate(await appliedIn(db), await readMigrations())
}

async function appliedIn(db: Db): Promise<Applied[]> {
  const [table] = await db.query<{ name: string | null }>(sql`select to_regclass('schema_migrations')::text as name`)
  if (table!.name === null) return []
  return await db.query<Applied>(sql`select number, name, checksum from schema_migrations order by number`)
}

function isUpToDate(applied: readonly Applied[], migrations: readonly Migration[]): boolean {
  return (
    applied.length === migrations.length && applied.every(({ checksum }, at) => checksum === migrations[at]!.checksum)
  )
}

/** Returns a short fingerprint of the schema for file names; equal for programs that create the same empty database. */
export async function computeSchemaFingerprint(): Promise<string> {
  const hash = createHash('sha256').update(PREPARATION)
  for (const { name, checksum } of await readMigrations()) hash.update(`${name} ${checksum}\n`)
  return hash.digest('hex').slice(0, 16)
}

export async function listKnownMigrations(): Promise<readonly Pick<Migration, 'number' | 'name' | 'checksum'>[]> {
  return await readMigrations()
}

async function apply(db: Db, { number, name, text, checksum }: Migration, isExclusive: boolean): Promise<void> {
  if (text.startsWith(`${ONLINE_MIGRATION_MARKER}\n`)) {
    const isDone = async () => (await db.query(sql`select from schema_migrations where number = ${number}`)).length > 0
    const record = async (tx: Db) => {
      await tx.execute(
        sql`insert into schema_migrations (number, name, checksum) values (${number}, ${name}, ${checksum}) on conflict do nothing`,
      )
    }
    return await buildIndexesOnline(db, text, { isExclusive, isDone, record })
  }
  await db.transaction(
    async (tx) => {
      // Claim first, so that a second process waits here for the first one's commit and then has nothing to do.
      const claimed = await tx.execute(
        sql`insert into schema_migrations (number, name, checksum) values (${number}, ${name}, ${checksum}) on conflict do nothing`,
      )
      if (claimed !== 1) return
      await tx.script(text)
      await alignDemoSchema(tx)
    },
    { idleTimeoutMs: 0 },
  )
}

function assertUnchanged(past: Applied, migrations: readonly Migration[]): void {
  const file = migrations.find(({ number }) => number === past.number)
  if (file === undefined)
    throw new Error(
      `the database has migration ${past.name}, which this version does not know: start the newer version`,
    )
  if (file.checksum !== past.checksum)
    throw new Error(`migration ${past.name} was changed after it had been applied: write a new one instead`)
}

async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort()
  return await Promise.all(
    names.map(async (name) => {
      const number = FILE_NAME.exec(name)?.[1]
      if (number === undefined) throw new Error(`${name} is not a valid migration name (0001_what_it_does.sql)`)
      // Line endings may differ between checkouts, so normalise them before computing the checksum.
      const text = (await readFile(new URL(name, FOLDER), 'utf8')).replaceAll('\r\n', '\n')
      return { number: Number(number), name, text, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )
}
