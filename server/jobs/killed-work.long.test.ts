import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import { createDb } from '#server/platform/engine/create-db.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { migrateDatabase } from '#server/platform/engine/migrate-database.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { requestExport } from '../../test/exports.ts'
import { jobsOf, runDue } from '../../test/jobs.ts'
import { SLOW_MACHINE_OPTIONS } from '../../test/server/database-setup.ts'
import { makeEmptyPostgres } from '../../test/server/databases.ts'
import { killOnOutput } from '../../test/server/killed-process.ts'
import { addLoad, addOrganisation, addUser, putProjects } from '../../test/world/report-world.ts'
import { exportJob } from './export-job.ts'
import { importBudget } from './intake/import-budget.ts'

const WORKER = path.join(import.meta.dirname, 'watched-worker-for-tests.ts')

describe.skipIf(inject('postgres') === undefined)('jobs killed with SIGKILL, on PostgreSQL (R47, R52)', () => {
  let db: OpenDb
  let url: string
  let drop: () => Promise<void>
  const folder = mkdtempSync(path.join(tmpdir(), 'tamngan-killed-work-'))
  beforeAll(async () => {
    ;({ url, drop } = await makeEmptyPostgres())
    db = createDb(await openPostgres(url, SLOW_MACHINE_OPTIONS))
  })
  afterAll(async () => {
    await db.close()
    await drop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Kills the worker inside its transaction while it waits for a table locked by this test. */
  const killInTheMiddle = (table: 'projects' | 'budget_totals', ...args: string[]) =>
    db.transaction(
      async (tx) => {
        await tx.script(`lock table ${table} in access exclusive mode`)
        await killOnOutput(WORKER, [url, ...args], /^waits$/m)
      },
      { idleTimeoutMs: 0 },
    )

  test('a migration leaves no trace and is applied by the next start', async () => {
    await migrateDatabase(db, { upTo: 6 })
    // Migration 0007 creates its table first and an index on projects last.
    await killInTheMiddle('projects', 'migrate')
    const state = () =>
      db.query(
        sql`select max(number) as number, to_regclass('notifications') is not null as is_made from schema_migrations`,
      )
    expect(await state()).toEqual([{ number: 6, is_made: false }])
    await migrateDatabase(db)
    expect(await state()).toMatchObject([{ is_made: true }])
    expect(((await state())[0] as { number: number }).number).toBeGreaterThan(6)
  }, 120_000)

  test('the next worker rewrites the whole report file, without parts of the first', async () => {
    const organisation = await addOrganisation(db, { words: { include: ['กล้อง'] } })
    const user = await addUser(db, organisation)
    const load = await addLoad(db)
    await putProjects(db, load, [{}])
    await db.execute(sql`
      insert into projects
      select (jsonb_populate_record(p, jsonb_build_object('project_id', (67000000000 + n)::text, 'name', p.name || md5(n::text) || md5((-n)::text)))).*
      from projects p, generate_series(2, 6000) n`)
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
    const at = new Date()
    await requestExport(db, {
      organisationId: organisation,
      userId: user,
      format: 'csv',
      columns: ['project_id', 'name'],
      at,
    })
    await killOnOutput(WORKER, [url, 'export'], /^parts [1-9]/m)
    expect(await jobsOf(db, 'export')).toMatchObject([{ state: 'running' }])
    await runDue(exportJob, { db, parts: {}, now: new Date(Date.now() + 61_000) })
    expect(await jobsOf(db, 'export')).toMatchObject([{ state: 'done', attempts: 2, progress: { done: 6_000 } }])
    const [made] = await db.query(sql`
      select bytes = (select sum(length(bytes)) from report_export_parts) as is_whole from report_exports`)
    expect(made).toEqual({ is_whole: true })
  }, 120_000)

  test('the budget of a year is unchanged, and rerunning the command imports it', async () => {
    const before = writeBudget(path.join(folder, 'a.csv'), 40)
    const after = writeBudget(path.join(folder, 'b.csv'), 60)
    const items = async () => (await db.query<{ n: number }>(sql`select count(*) as n from budget_items`))[0]!.n
    await importBudget(db, before, { dataDir: folder })
    await killInTheMiddle('budget_totals', 'budget', after)
    expect(await items()).toBe(40)
    await importBudget(db, after, { dataDir: folder })
    expect(await items()).toBe(60)
    expect(await db.query(sql`select items from budget_years`)).toEqual([{ items: 60 }])
  }, 120_000)
})

function writeBudget(file: string, items: number): string {
  const rows = Array.from({ length: items }, (_, n) => `${n},กระทรวงตัวอย่าง,กรมตัวอย่าง,งบลงทุน,กล้อง ${n},2570,1000`)
  writeFileSync(
    file,
    ['ITEM_ID,MINISTRY,BUDGETARY_UNIT,CATEGORY_LV1,ITEM_DESCRIPTION,FISCAL_YEAR,AMOUNT', ...rows].join('\n'),
  )
  return file
}
