import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { runIntake } from '#server/catalogue/intake/intake-commands.ts'
import type { IntakeSource, IntakeSourceSettings } from '#server/catalogue/intake/intake-sources.ts'
import { createDb } from '#server/platform/engine/create-db.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { OpenDataServer } from '../../../test/open-data-server.ts'
import { SLOW_MACHINE_OPTIONS } from '../../../test/server/database-setup.ts'
import { makeMigratedPostgres } from '../../../test/server/databases.ts'
import { killOnOutput } from '../../../test/server/killed-process.ts'
import { CONTACT, testKeyCipher } from '../../../test/world/intake-world.ts'
import { buildContractsCsv } from '../../../test/world/open-data-world.ts'

const KEY = 'Qk3xZ9-key-of-the-operator'
/**
 * Number of writes after which the process is killed, counted from its start: from the first request to the middle of a
 * load.
 */
const KILLS = [2, 4, 6, 8, 11, 14, 18, 23, 29, 36]
const EVENING = new Date('2026-11-23T20:05:00+07:00')

const WORKER = path.join(import.meta.dirname, 'source-fetcher-for-tests.ts')

describe.skipIf(inject('postgres') === undefined)('sources killed with SIGKILL, on PostgreSQL (R47, R52)', () => {
  let db: OpenDb
  let url: string
  let drop: () => Promise<void>
  let server: OpenDataServer
  let dataDir: string
  beforeAll(async () => {
    ;({ url, drop } = await makeMigratedPostgres())
    db = createDb(await openPostgres(url, SLOW_MACHINE_OPTIONS))
  })
  afterAll(async () => {
    await db.close()
    await drop()
  })
  beforeEach(async () => {
    await db.script('truncate intake_sources, jobs, job_leases cascade')
    await db.script('truncate projects, loads, departments cascade')
    server = new OpenDataServer()
    await server.start()
    dataDir = await mkdtemp(path.join(tmpdir(), 'killed-sources-'))
  })
  afterEach(async () => {
    await server.close()
    await rm(dataDir, { recursive: true })
  })

  const on = (source: IntakeSource, changes: Partial<IntakeSourceSettings>, key?: string) =>
    runIntake(db, { command: 'on', source, ...(key === undefined ? {} : { key }), changes }, EVENING, testKeyCipher)
  async function killAndGoOn(): Promise<void> {
    for (const [index, writes] of [...KILLS, Number.MAX_SAFE_INTEGER].entries()) {
      const at = new Date(EVENING.getTime() + index * 10 * 60_000).toISOString()
      await killOnOutput(WORKER, [url, dataDir, at, String(writes)], /under way|over/)
      // Leases of killed processes expire after a minute of the database's clock.
      await db.execute(sql`update job_leases set expires_at = now() - interval '1 second'`)
    }
  }
  const projects = async () =>
    (
      await db.query<{ n: number; names: number }>(
        sql`select count(*)::int as n, count(distinct name)::int as names from projects`,
      )
    )[0]
  const files = () =>
    db.query(
      sql`select name, state, rows_read as "read", new_projects as "new" from intake_files where state <> 'waiting' order by name`,
    )
  /**
   * Returns the number of rows published by loads. A count above the existing rows means that a file was imported
   * twice.
   */
  const published = async () =>
    (
      await db.query<{ n: number }>(
        sql`select coalesce(sum(new_projects), 0)::int as n from loads where state = 'published'`,
      )
    )[0]!.n

  test('a folder imports each file once', async () => {
    await on('folder', {})
    await mkdir(path.join(dataDir, 'inbox'), { recursive: true })
    const drop = async (name: string, text: string) => {
      await writeFile(path.join(dataDir, 'inbox', name), text)
      await utimes(path.join(dataDir, 'inbox', name), EVENING, EVENING)
    }
    await drop('one.csv', buildContractsCsv(1_500))
    await drop('two.csv', buildContractsCsv(1_200, 5_000))
    await killAndGoOn()
    expect(await projects()).toEqual({ n: 2_700, names: 2_700 })
    expect(await published()).toBe(2_700)
    expect(await files()).toMatchObject([
      { name: 'one.csv', state: 'imported' },
      { name: 'two.csv', state: 'imported' },
    ])
  }, 300_000)

  test('a catalogue of open data imports each of its files once', async () => {
    for (const [index, name] of ['one', 'two', 'three'].entries())
      server.put(`/${name}.csv`, buildContractsCsv(1_100, 1 + index * 5_000))
    server.packages.set(
      'contracts',
      ['one', 'two', 'three'].map((name) => ({ url: `${server.origin}/${name}.csv`, name, format: 'CSV' })),
    )
    await on('ckan', { contact: CONTACT, address: `${server.origin}/api/3/action/`, parts: 'contracts' })
    await killAndGoOn()
    expect(await projects()).toEqual({ n: 3_300, names: 3_300 })
    expect(await published()).toBe(3_300)
    expect(await files()).toMatchObject([{ state: 'imported' }, { state: 'imported' }, { state: 'imported' }])
  }, 300_000)

  test('the contract interface imports each page once', async () => {
    const rows = Array.from({ length: 3_300 }, (_, serial) => ({
      ...{
        project_id: String(67_089_000_001 + serial),
        project_name: `ซื้อคอมพิวเตอร์ ${serial}`,
        dept_name: 'กรมบัญชีกลาง',
      },
      ...{ project_money: '500000', budget_year: '2568' },
    }))
    server.answer = ({ query }) => {
      const [offset, limit] = [Number(query.get('offset')), Number(query.get('limit'))]
      return { status: 200, json: { success: true, total: rows.length, data: rows.slice(offset, offset + limit) } }
    }
    await on(
      'cgd-api',
      { contact: CONTACT, address: `${server.origin}/govspending/service/egp-contract`, parts: '2568' },
      KEY,
    )
    await killAndGoOn()
    expect(await projects()).toEqual({ n: 3_300, names: 3_300 })
    expect(await published()).toBe(3_300)
  }, 300_000)
})
