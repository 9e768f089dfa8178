import { copyFile, mkdir, mkdtemp, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sql from 'sql-template-tag'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { runIntake } from '#server/catalogue/intake/intake-commands.ts'
import { createIntakeSourceKeyCipher } from '#server/catalogue/intake/intake-sources.ts'
import { readIntakeSourceOverviews } from '#server/catalogue/intake/source-overviews.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { withJobLease } from '#server/platform/queue/job-lease.ts'
import { jobsOf, runDue } from '../../../test/jobs.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { emptyTables } from '../../../test/server/empty-tables.ts'
import { TestClock } from '../../../test/world/intake-world.ts'
import { intakeJob } from './intake-job.ts'

const MORNING = '2026-11-23T09:00:00+07:00'
const HEADER = 'project_id,project_name,dept_name,project_money,budget_year'
const row = (serial: number, budget = 500_000) =>
  `${67_089_000_000 + serial},ซื้อคอมพิวเตอร์ ${serial},กรมบัญชีกลาง,${budget},2568`
const table = (...rows: string[]) => `${[HEADER, ...rows].join('\n')}\n`

onEachEngineInTurn('the watched folder', (makeDb) => {
  let db: OpenDb
  let clock: TestClock
  let dataDir: string
  const parts = () => ({
    intake: {
      clock,
      dataDir,
      seal: createIntakeSourceKeyCipher(['a secret of tests that is long enough']),
      createFeedClient: () => Promise.reject(new Error('nobody is asked')),
      createGet: () => Promise.reject(new Error('nobody is asked')),
      mails: { link: (to: string) => to, queue: async () => undefined },
    },
  })
  beforeAll(async () => {
    db = await makeDb()
  })
  beforeEach(async () => {
    await emptyTables(db, 'intake_sources', 'jobs')
    await emptyTables(db, 'projects', 'loads', 'departments')
    clock = new TestClock(MORNING)
    dataDir = await mkdtemp(path.join(tmpdir(), 'inbox-'))
    await runIntake(db, { command: 'on', source: 'folder', changes: {} }, clock.now())
  })
  afterEach(() => rm(dataDir, { recursive: true }))

  const turn = () => runDue(intakeJob as never, { db, now: clock.now, parts: parts() } as never)
  async function poll(times: number): Promise<void> {
    for (let n = 0; n < times; n += 1) {
      clock.pass(60_000)
      await turn()
    }
  }
  const inbox = (name: string) => path.join(dataDir, 'inbox', name)
  async function drop(name: string, text: string, at = clock.now()): Promise<void> {
    await mkdir(path.dirname(inbox(name)), { recursive: true })
    await writeFile(inbox(name), text)
    await utimes(inbox(name), at, at)
  }
  const folder = async () =>
    (await readIntakeSourceOverviews(db, clock.now())).find(({ source }) => source === 'folder')!
  const outcomes = async () => {
    const files = (await folder()).files.toSorted((a, b) => a.id - b.id)
    return files.map(({ name, state, rowsRead, rowsQuarantined, newProjects }) => [
      name,
      state,
      ...[rowsRead, rowsQuarantined, newProjects],
    ])
  }
  const loads = async () => (await db.query(sql`select from loads where state = 'published'`)).length

  test('imports a dropped file once, by its content, and records the outcome', async () => {
    await drop('contracts.csv', table(row(1), row(2), 'ไม่ใช่เลข,ชื่อ,กรม,1,2568'))
    await poll(3)
    expect(await outcomes()).toEqual([['contracts.csv', 'imported', 3, 1, 2]])
    await copyFile(inbox('contracts.csv'), inbox('again.csv'))
    await utimes(inbox('again.csv'), clock.now(), clock.now())
    await poll(4)
    expect(await outcomes()).toEqual([
      ['contracts.csv', 'imported', 3, 1, 2],
      ['again.csv', 'known', 0, 0, 0],
    ])
    expect(await loads()).toBe(1)
    expect(await db.query(sql`select source, origin from loads`)).toEqual([
      { source: 'cgd-csv', origin: 'contracts.csv' },
    ])
    expect(await folder()).toMatchObject({ isOn: true, totalReceived: 3, failure: null, needsContact: false })
    expect((await folder()).rounds).toMatchObject([
      { night: '2026-11-23', outcome: 'complete', items: 3, newItems: 2, unreadableItems: 1 },
    ])
  })

  test('imports a file dated in the future once two checks saw it unchanged', async () => {
    await drop('tomorrow.csv', table(row(1)), new Date(clock.now().getTime() + 86_400_000))
    await poll(1)
    expect(await loads()).toBe(0)
    await poll(1)
    expect(await outcomes()).toEqual([['tomorrow.csv', 'imported', 1, 0, 1]])
  })

  test('imports the same name with other content as another file', async () => {
    await drop('contracts.csv', table(row(1)))
    await poll(3)
    await drop('contracts.csv', table(row(1, 900_000), row(2)))
    await poll(3)
    expect(await outcomes()).toEqual([
      ['contracts.csv', 'imported', 1, 0, 1],
      ['contracts.csv', 'imported', 2, 0, 1],
    ])
    expect(
      await db.query(sql`select budget_satang::float8 as budget from projects order by project_id limit 1`),
    ).toEqual([{ budget: 90_000_000 }])
  })

  test('waits for a growing file and never reads a partial download', async () => {
    await drop('growing.csv', table(row(1)))
    await poll(1)
    for (let n = 2; n < 6; n += 1) {
      await drop('growing.csv', table(...Array.from({ length: n }, (_, index) => row(index + 1))))
      await poll(1)
    }
    expect(await outcomes()).toEqual([['growing.csv', 'waiting', 0, 0, 0]])
    await drop('download.csv.part', table(row(9)))
    await poll(3)
    expect(await outcomes()).toEqual([['growing.csv', 'imported', 5, 0, 5]])
    await rename(inbox('download.csv.part'), inbox('download.csv'))
    await poll(3)
    expect((await outcomes()).at(-1)).toEqual(['download.csv', 'imported', 1, 0, 1])
  })

  test('reports the reason for an unreadable file, continues, and ignores links and folders', async () => {
    await drop('page.csv', '<!DOCTYPE html><html><title>Request Rejected</title></html>')
    await drop('good.csv', table(row(1)))
    await drop('deeper/other.csv', table(row(2)))
    await writeFile(path.join(dataDir, 'secret.csv'), table(row(3)))
    await symlink(path.join(dataDir, 'secret.csv'), inbox('link.csv'))
    await poll(3)
    expect(await outcomes()).toEqual([
      ['good.csv', 'imported', 1, 0, 1],
      ['page.csv', 'failed', 0, 0, 0],
    ])
    const { files } = await folder()
    expect(files.find(({ state }) => state === 'failed')!.reason).toContain('Request Rejected')
    // A file that was repaired by hand is retried when an operator requests it.
    await runIntake(db, { command: 'run', source: 'folder' }, clock.now())
    await poll(3)
    expect((await outcomes()).map(([, state]) => state)).toEqual(['imported', 'failed'])
  })

  test('imports nothing twice when killed between the load and its record', async () => {
    await drop('contracts.csv', table(row(1)))
    await poll(3)
    await db.script(`update intake_files set state = 'fetched'`)
    await poll(2)
    expect(await outcomes()).toEqual([['contracts.csv', 'imported', 1, 0, 1]])
    expect(await loads()).toBe(1)
  })

  test('waits while another load runs, and many workers check only once', async () => {
    await drop('contracts.csv', table(row(1)))
    await withJobLease(db, 'load', () => poll(3))
    expect(await outcomes()).toEqual([['contracts.csv', 'fetched', 0, 0, 0]])
    expect(await loads()).toBe(0)
    clock.pass(60_000)
    await Promise.all([turn(), turn(), turn()])
    expect(await loads()).toBe(1)
    expect((await jobsOf(db, 'intake')).filter(({ state }) => state === 'waiting')).toHaveLength(1)
    await runIntake(db, { command: 'off', source: 'folder' }, clock.now())
    await drop('more.csv', table(row(2)))
    await poll(3)
    expect(await loads()).toBe(1)
  })
})
