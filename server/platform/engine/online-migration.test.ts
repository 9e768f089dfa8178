import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import sql from 'sql-template-tag'
import { describe, expect, inject, test } from 'vitest'
import { SLOW_MACHINE_OPTIONS } from '../../../test/server/database-setup.ts'
import { makeMigratedPostgres, onEachEngine } from '../../../test/server/databases.ts'
import { createDb } from './create-db.ts'
import type { Db } from './db.ts'
import { buildIndexesOnline, ONLINE_MIGRATION_MARKER, parseCreateIndexStatements } from './online-migration.ts'
import { openPostgres } from './postgres.ts'

const TEXT = `${ONLINE_MIGRATION_MARKER}
-- Two of them.
create index concurrently projects_by_name on projects (name) where not is_archived;
create index concurrently project_matches_by_words on project_matches
  (organisation_id, words_id);
`
const indexes = async (db: Db, name: string) =>
  await db.query<{ valid: boolean; definition: string }>(sql`
    select i.indisvalid as valid, pg_get_indexdef(i.indexrelid) as definition from pg_index i
    where i.indexrelid = to_regclass(${name}::text)`)

async function migration(db: Db) {
  await db.script('create table if not exists done (at timestamptz not null)')
  return {
    isDone: async () => (await db.query(sql`select from done`)).length > 0,
    record: async (tx: Db) => {
      await tx.execute(sql`insert into done values (now())`)
    },
  }
}

test('an online migration may only contain concurrent index builds', () => {
  expect(parseCreateIndexStatements(TEXT)).toEqual([
    { unique: '', name: 'projects_by_name', table: 'projects', rest: '(name) where not is_archived' },
    { unique: '', name: 'project_matches_by_words', table: 'project_matches', rest: '(organisation_id, words_id)' },
  ])
  for (const statement of [
    'create index a on b (c)',
    'alter table a add column b int',
    'create index concurrently on a (b)',
  ])
    expect(() => parseCreateIndexStatements(`${ONLINE_MIGRATION_MARKER}\n${statement};`)).toThrow(
      'may contain only "create index concurrently',
    )
})

test('every online migration parses, and only online migrations build concurrently', () => {
  const folder = path.join(import.meta.dirname, 'migrations')
  for (const name of readdirSync(folder)) {
    const text = readFileSync(path.join(folder, name), 'utf8')
    if (text.startsWith(`${ONLINE_MIGRATION_MARKER}\n`))
      expect(parseCreateIndexStatements(text).length, name).toBeGreaterThan(0)
    else expect(text, name).not.toContain('concurrently')
  }
})

onEachEngine('an online migration', (makeDb) => {
  test('builds its indexes, including those of a partitioned table, and is recorded once', async () => {
    const db = await makeDb()
    const steps = await migration(db)
    await buildIndexesOnline(db, TEXT, steps)
    expect(await indexes(db, 'projects_by_name')).toMatchObject([{ valid: true }])
    expect(await indexes(db, 'project_matches_by_words')).toMatchObject([{ valid: true }])
    const parts = await db.query(sql`select from pg_inherits where inhparent = 'project_matches_by_words'::regclass`)
    expect(parts.length).toBe(64)
    expect(await db.query(sql`select from done`)).toHaveLength(1)
  })
})

describe.skipIf(inject('postgres') === undefined)('concurrent online migrations [PostgreSQL]', () => {
  test('block no writes, build once among three processes, and rebuild an invalid index', async () => {
    const { url, drop } = await makeMigratedPostgres()
    const open = async () => createDb(await openPostgres(url, SLOW_MACHINE_OPTIONS))
    const [first, second, third, writer] = await Promise.all([open(), open(), open(), open()])
    try {
      const steps = await migration(first)
      // With two rows of the same name, building the unique index fails and leaves an invalid index.
      await first.script(`insert into departments (name, sub_name, province) values ('ก', 'ข', 10), ('ก', 'ค', 10)`)
      const unique = `${ONLINE_MIGRATION_MARKER}\ncreate unique index concurrently one_name on departments (name);`
      await expect(buildIndexesOnline(first, unique, steps)).rejects.toThrow('could not create unique index')
      expect(await indexes(first, 'one_name')).toMatchObject([{ valid: false }])
      await first.script(`delete from departments where sub_name = 'ค'`)

      // The build waits for an uncommitted write, while other writers do not wait for the build.
      const hasWritten = Promise.withResolvers<void>()
      const mayEnd = Promise.withResolvers<void>()
      const writing = writer.transaction(
        async (tx) => {
          await tx.execute(sql`insert into departments (name, sub_name, province) values ('ง', '', 10)`)
          hasWritten.resolve()
          await mayEnd.promise
        },
        { idleTimeoutMs: 0 },
      )
      await hasWritten.promise
      const all = Promise.all(
        [first, second, third].map((db) =>
          buildIndexesOnline(db, unique, {
            ...steps,
            isDone: async () => (await db.query(sql`select from done`)).length > 0,
          }),
        ),
      )
      await expect
        .poll(
          () =>
            writer.query(
              sql`select from pg_stat_activity where datname = current_database() and wait_event = 'virtualxid' and query like '%index concurrently%'`,
            ),
          { timeout: 20_000 },
        )
        .toHaveLength(1)
      await second.execute(sql`insert into departments (name, sub_name, province) values ('จ', '', 10)`, {
        timeoutMs: 5_000,
      })
      mayEnd.resolve()
      await writing
      await all
      expect(await indexes(first, 'one_name')).toMatchObject([{ valid: true }])
      expect(await first.query(sql`select from done`)).toHaveLength(1)
    } finally {
      await Promise.all([first, second, third, writer].map((db) => db.close()))
      await drop()
    }
  }, 120_000)
})
