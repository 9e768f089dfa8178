import { readFileSync } from 'node:fs'
import path from 'node:path'
import sql from 'sql-template-tag'
import { describe, expect, inject, test } from 'vitest'
import { writeTemporaryTestFile } from '#server/catalogue/feed/feed-for-tests.ts'
import { openFeedFile } from '#server/catalogue/feed/open-feed-file.ts'
import { createDb } from '#server/platform/engine/create-db.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { openReportMemory } from '#server/report/report-engine.ts'
import { computeContentSums } from '../../../bench/data/content-sums.ts'
import { writeImportRows } from '../../../bench/data/import-rows.ts'
import { SLOW_MACHINE_OPTIONS } from '../../../test/server/database-setup.ts'
import { makeMigratedPostgres } from '../../../test/server/databases.ts'
import { killOnOutput } from '../../../test/server/killed-process.ts'
import { addOrganisation } from '../../../test/world/report-world.ts'
import { runDataLoad, withDataLoadLease } from './run-load.ts'

const ROWS = 9_000
const TODAY = '2026-11-20'
/**
 * Steps of a load that is published while it is read; the process is killed after each one. Nothing of the load may be
 * visible before the last step.
 */
const MOMENTS = [
  'insert into staged_chunks',
  'insert into match_values',
  'insert into projects',
  'insert into companies',
  'insert into project_traits',
  'insert into company_projects',
  'insert into project_spending',
  'insert into project_matches',
  "set state = 'published'",
]
/** The first statement after the load is published and derived; companies are not counted yet. */
const PUBLISHED = 'insert into company_figures'

const LOADER = path.join(import.meta.dirname, 'streaming-loader-for-tests.ts')

describe.skipIf(inject('postgres') === undefined)('a streaming load killed with SIGKILL, on PostgreSQL (R47)', () => {
  async function inDatabaseOf(work: (db: OpenDb, url: string) => Promise<void>): Promise<void> {
    const { url, drop } = await makeMigratedPostgres()
    const db = createDb(await openPostgres(url, SLOW_MACHINE_OPTIONS))
    try {
      await addOrganisation(db, { words: { include: ['ถนน'], exclude: ['ประปา'] } })
      await work(db, url)
    } finally {
      await db.close()
      await drop()
    }
  }
  async function load(db: OpenDb, file: string): Promise<void> {
    const { source, fingerprint } = await openFeedFile(file)
    await withDataLoadLease(db, (lease) =>
      runDataLoad(db, lease, source, { origin: file, fingerprint, today: TODAY, stagedFirst: 1 }),
    )
  }
  const stored = async (db: OpenDb) =>
    await db.query(sql`
        select (select count(*)::int from projects) as projects, (select count(*)::int from project_matches) as matches,
          (select count(*)::int from project_traits) as traits, (select count(*)::int from company_projects) as facts`)

  test(`at each of ${MOMENTS.length + 1} moments leaves all or nothing, and rerun equals an undisturbed load`, async () => {
    const file = writeTemporaryTestFile('contracts.csv', '')
    await writeImportRows(file, ROWS)
    let undisturbed: ReadonlyMap<string, string> = new Map()
    await inDatabaseOf(async (db) => {
      await load(db, file)
      undisturbed = await computeContentSums(db)
    })
    await inDatabaseOf(async (db, url) => {
      const passLeases = () => db.execute(sql`update job_leases set expires_at = now() - interval '1 second'`)
      const memory = openReportMemory(db, { megabytes: 64 })
      await memory.load()
      for (const moment of MOMENTS) {
        await killOnOutput(LOADER, [url, file, TODAY, moment], /under way/)
        await passLeases()
        await memory.load()
        expect(memory.stats().projects, moment).toBe(0)
        expect(await stored(db), moment).toEqual([{ projects: 0, matches: 0, traits: 0, facts: 0 }])
      }
      await killOnOutput(LOADER, [url, file, TODAY, PUBLISHED], /under way/)
      await passLeases()
      expect(await db.query(sql`select state from loads`)).toEqual([{ state: 'published' }])
      expect(await stored(db)).toMatchObject([{ projects: ROWS }])
      await memory.load()
      expect(memory.stats().projects).toBe(ROWS)
      await memory.close()
      // The next load, whatever its content, completes the remaining work of the killed one.
      const lines = readFileSync(file, 'utf8').split('\n')
      await load(db, writeTemporaryTestFile('one.csv', `${lines.slice(0, 2).join('\n')}\n`))
      expect(await computeContentSums(db)).toEqual(undisturbed)
    })
  }, 300_000)
})
