import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { readXlsx } from 'hucre/xlsx'
import sql from 'sql-template-tag'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { ReportColumnField } from '#contract/catalogue/report-columns.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { Db, OpenDb } from '#server/platform/engine/db.ts'
import { startQueueWorker } from '#server/platform/queue/job-worker.ts'
import { claimJob, findDueJobKinds, renewJobClaim } from '#server/platform/queue/queries.ts'
import { findExportList, loadExportRows } from '#server/report/export/export-list.ts'
import {
  appendExportPart,
  cancelExport,
  findExport,
  pruneExports,
  readExportParts,
} from '#server/report/export/queries.ts'
import { createReportEngine } from '#server/report/report-engine.ts'
import { type ExportOptions, requestExport } from '../../test/exports.ts'
import { jobsOf, runDue } from '../../test/jobs.ts'
import { readZip } from '../../test/read-zip.ts'
import { onEachEngineInTurn } from '../../test/server/databases.ts'
import { emptyTables } from '../../test/server/empty-tables.ts'
import { addLoad, addOrganisation, addUser, copyProject, putProjects } from '../../test/world/report-world.ts'
import { createExportJob, exportJob } from './export-job.ts'

const AT = new Date('2026-11-21T02:00:00Z')
const later = (seconds: number) => new Date(AT.getTime() + seconds * 1000)

onEachEngineInTurn('exports that wait', (makeDb) => {
  let db: OpenDb
  let organisation: number
  let user: number
  let lines: { fields: object; text: string }[] = []
  const note = (fields: object, text: string) => void lines.push({ fields, text })
  const log = { info: note, warn: note, error: note }
  const work = (now = AT, on: Db = db) => runDue(exportJob, { db: on, parts: {}, log, now })

  async function startExport(options: Partial<ExportOptions> = {}) {
    return await requestExport(db, { ...options, organisationId: organisation, userId: user, at: AT })
  }
  const stateOf = async (id: string) => (await findExport(db, user, id))!
  const fileOf = (id: string) => buffer(readExportParts(db, id))
  const idsIn = async (id: string) =>
    (await readXlsx(new Uint8Array(await fileOf(id)))).sheets[0]!.rows.slice(1).map(([projectId]) => projectId)
  const notified = () => db.query(sql`select type, export_id, file_name from notifications`)

  beforeAll(async () => {
    db = await makeDb()
  })
  beforeEach(async () => {
    lines = []
    await emptyTables(db, 'organisations', 'departments', 'loads', 'projects', 'project_matches', 'match_exclusions')
    organisation = await addOrganisation(db, { words: { include: ['กล้อง'] } })
    user = await addUser(db, organisation)
    const load = await addLoad(db)
    await putProjects(db, load, [
      { id: '00000000001', name: 'ซื้อกล้อง ๑', budget: 100_050, movementOn: '2026-11-01' },
      { id: '00000000002', name: '=ซื้อกล้อง', budget: null, movementOn: '2026-11-03' },
      { id: '00000000003', name: 'เช่ากล้อง', budget: 300_000, movementOn: '2026-11-02' },
      { id: '00000000004', name: 'ซื้อรถ' },
    ])
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
  })

  async function addMany(count: number): Promise<void> {
    await copyProject(db, '00000000001', count, 69_000_000_001)
    const [load] = await db.query<{ id: number }>(sql`select id from loads`)
    await db.transaction((tx) => matchDataLoadProjects(tx, load!.id))
  }

  test('the file has the report in its order, the requested columns, and the query on a second sheet', async () => {
    const id = await startExport({ query: { ordering: '-project_budget', project_name__in: 'กล้อง' } })
    expect(await work()).toBe(1)
    const { sheets } = await readXlsx(new Uint8Array(await fileOf(id)))
    expect(sheets[0]!.rows).toEqual([
      ['เลขที่โครงการ', 'ชื่อโครงการ', 'งบประมาณ'],
      ['00000000003', 'เช่ากล้อง', 3000],
      ['00000000001', 'ซื้อกล้อง ๑', 1000.5],
      ['00000000002', '=ซื้อกล้อง', null],
    ])
    const about = new Map(sheets[1]!.rows.map(([name, value]) => [name, value]))
    expect(about.get('จำนวนโครงการ')).toBe('3')
    expect(about.get('ส่งออกเมื่อ')).toBe('21/11/2569 09:00 น.')
    expect(about.get('เรียงตาม')).toBe('งบประมาณ มากไปน้อย')
    expect(about.get('ชื่อโครงการ')).toBe('กล้อง')
    expect(await stateOf(id)).toMatchObject({
      state: 'done',
      done: 3,
      total: 3,
      found: 3,
      bytes: (await fileOf(id)).length,
      in_background: false,
      file_name: 'REPORT_20261121.xlsx',
      expires_at: '2026-11-22T02:00:00.000Z',
    })
    expect(await notified()).toEqual([])
    expect(await work()).toBe(0)
  })

  test('appends label columns of the user and the team when any project has a label', async () => {
    await db.execute(sql`insert into labels (user_id, id, name, color) values (${user}::int, 'own', 'รอราคา', 'sky')`)
    await db.execute(sql`insert into label_assignments values (${user}::int, '00000000001', 'own')`)
    const of = sql`${organisation}::int`
    await db.execute(sql`insert into team_labels values (${of}, 'team', 'ยื่นแน่', 'red', null, now())`)
    for (const project of ['00000000001', '00000000003'])
      await db.execute(sql`insert into team_label_assignments values (${of}, ${project}, 'team', now())`)
    const id = await startExport({ query: { ordering: '-project_budget', team_label__in: '<<gone' } })
    expect(await work()).toBe(1)
    const { sheets } = await readXlsx(new Uint8Array(await fileOf(id)))
    expect(sheets[0]!.rows.map((row) => [row[0], row[3]])).toEqual([
      ['เลขที่โครงการ', 'ป้าย'],
      ['00000000003', 'ทีม: ยื่นแน่'],
      ['00000000001', 'รอราคา, ทีม: ยื่นแน่'],
      ['00000000002', null],
    ])
  })

  test('applies personal filters of the requester, omits hidden projects, and exports the hidden view', async () => {
    await db.execute(sql`insert into bookmarks (user_id, project_id) values (${user}::int, '00000000001')`)
    await db.execute(sql`insert into hidden_projects (user_id, project_id) values (${user}::int, '00000000003')`)
    const ids = [
      await startExport(),
      await startExport({ query: { project_bookmark: 'true' } }),
      await startExport({ query: { project_hidden: 'true' } }),
      await startExport({ query: { project_id__in: '00000000002||00000000003||9' } }),
    ]
    expect(await work()).toBe(4)
    expect(await Promise.all(ids.map(idsIn))).toEqual([
      ['00000000002', '00000000001'],
      ['00000000001'],
      ['00000000003'],
      ['00000000002'],
    ])
  })

  test('fills every column with the text that the table shows', async () => {
    const load = await addLoad(db)
    await putProjects(db, load, [
      {
        id: '00000000003',
        name: 'เช่ากล้อง',
        winner: 'บริษัท ก จำกัด',
        winning: 12_345,
        submissionEndsOn: '2026-12-31',
        criteria: 'no_data',
        methodType: 'lease',
      },
    ])
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
    await db.execute(
      sql`update projects set submission_time = '09:00-12:00', winner_count = 3, remark = '-5' where project_id = '00000000003'`,
    )
    await db.execute(sql`
      insert into attachments (project_id, url, name, step, first_load) values ('00000000003', 'https://example.org/1', 'ร่าง.pdf', 'invited', ${load}::bigint)`)
    const columns: ReportColumnField[] = [
      'change_status',
      'dept_region',
      'project_province',
      'criteria',
      'movement',
      'status',
      'submission_end_date',
      'submission_time',
      'winner_name',
      'winner_budget',
      'method',
      'method_type',
      'remark',
      'attachments',
      'match_reasons',
    ]
    const id = await startExport({ query: { project_id__in: '00000000003' }, columns })
    const csv = await startExport({ query: { project_id__in: '00000000003' }, columns, format: 'csv' })
    await work()
    const [, row] = (await readXlsx(new Uint8Array(await fileOf(id)))).sheets[0]!.rows
    expect(row).toEqual([
      'อัปเดต',
      'ภาคกลาง',
      'กรุงเทพมหานคร',
      null,
      'ประกาศเชิญชวน',
      'ระหว่างดำเนินการ',
      new Date('2026-12-31'),
      '09:00-12:00 น.',
      'บริษัท ก จำกัด และอีก 2 ราย',
      123.45,
      'e-bidding',
      'เช่า',
      '-5',
      'ร่าง.pdf https://example.org/1',
      'กล้อง',
    ])
    expect((await fileOf(csv)).toString().split('\r\n')[1]).toBe(
      "อัปเดต,ภาคกลาง,กรุงเทพมหานคร,,ประกาศเชิญชวน,ระหว่างดำเนินการ,2026-12-31,09:00-12:00 น.,บริษัท ก จำกัด และอีก 2 ราย,123.45,e-bidding,เช่า,'-5,ร่าง.pdf https://example.org/1,กล้อง",
    )
    expect((await fileOf(csv)).subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
    expect((await stateOf(csv)).file_name).toBe('REPORT_20261121.csv')
  })

  test('writes more than 10,000 projects in many parts and notifies once', async () => {
    await addMany(10_500)
    const id = await startExport()
    await work()
    expect(await stateOf(id)).toMatchObject({ state: 'done', done: 10_503, total: 10_503, in_background: true })
    const [{ n }] = (await db.query<{ n: number }>(sql`select count(*) as n from report_export_parts`)) as [
      { n: number },
    ]
    expect(n).toBeGreaterThan(1)
    expect(new Set(await idsIn(id)).size).toBe(10_503)
    expect(await notified()).toEqual([{ type: 'Export_ready', export_id: id, file_name: 'REPORT_20261121.xlsx' }])
  }, 120_000)

  test('states the omitted projects in a last row and on the second sheet', async () => {
    const id = await startExport({ columns: ['project_id'] })
    await runDue(createExportJob(2), { db, parts: {}, log, now: AT })
    expect(await stateOf(id)).toMatchObject({ state: 'done', done: 2, total: 2, found: 3 })
    const parts = readZip(await fileOf(id))
    const noted = 'ไฟล์นี้มี 2 โครงการแรกจากทั้งหมด 3 โครงการ'
    const sheet = parts.get('xl/worksheets/sheet1.xml')!
    expect(sheet).toContain(`<row r="4"><c r="A4" s="7" t="inlineStr"><is><t xml:space="preserve">${noted}`)
    expect(sheet).toContain('<autoFilter ref="A1:A3"/>')
    expect(parts.get('xl/worksheets/sheet2.xml')).toContain(noted)
  })

  test('R52: another worker restarts a half-written file after the lease; the dead one stores nothing', async () => {
    const id = await startExport()
    const dead = await claimJob(db, exportJob, 'dead', AT)
    await appendExportPart(db, id, { place: 0, bytes: Buffer.from('half') })
    expect(await claimJob(db, exportJob, 'other', later(59))).toBeUndefined()
    expect(await findDueJobKinds(db, ['export'], later(61))).toEqual(new Set(['export']))
    expect(await work(later(61))).toBe(1)
    expect(await idsIn(id)).toEqual(['00000000002', '00000000003', '00000000001'])
    expect(await renewJobClaim(db, exportJob, dead!, { now: later(62), progress: { done: 1 } })).toBe(false)
    expect(await idsIn(id)).toHaveLength(3)
  })

  test('R52: two workers make one file each, none twice', async () => {
    const ids = [await startExport(), await startExport(), await startExport()]
    const tried = await Promise.all([work(), work()])
    expect(tried[0]! + tried[1]!).toBe(3)
    for (const id of ids) expect(await stateOf(id)).toMatchObject({ state: 'done' })
    expect((await jobsOf(db, 'export')).map(({ attempts }) => attempts)).toEqual([1, 1, 1])
  })

  test('cancelling midway stops the worker and leaves no part of the file', async () => {
    await addMany(3_000)
    const id = await startExport()
    let pages = 0
    const watched: Db = {
      ...db,
      async query(statement, options) {
        const rows = await db.query(statement, options)
        // Only statements that read pages of rows contain this ordering.
        if (statement.sql.includes('order by r.place')) pages += 1
        if (pages === 2) await cancelExport(db, id, later(1))
        return rows as never
      },
    }
    expect(await work(AT, watched)).toBe(1)
    expect(await stateOf(id)).toMatchObject({ state: 'cancelled', bytes: null })
    expect(await db.query(sql`select 1 from report_export_parts`)).toEqual([])
    expect(lines).toEqual([])
    expect(await work(later(3600))).toBe(0)
  })

  test('rewrites the whole file when a load is published meanwhile, so all rows are of one day', async () => {
    await addMany(600)
    const id = await startExport({ columns: ['project_id', 'change_status'] })
    let isLoaded = false
    const loading: Db = {
      ...db,
      async query(statement, options) {
        const rows = await db.query(statement, options)
        if (statement.sql.includes('order by r.place') && !isLoaded) {
          isLoaded = true
          await addLoad(db)
        }
        return rows as never
      },
    }
    expect(await work(AT, loading)).toBe(1)
    expect(lines).toMatchObject([{ text: 'job failed: will be retried', fields: { failure: 'ReportMoved' } }])
    expect(await stateOf(id)).toMatchObject({ state: 'waiting', done: 0 })
    expect(await db.query(sql`select 1 from report_export_parts`)).toEqual([])
    expect(await work(later(5), loading)).toBe(1)
    const rows = (await readXlsx(new Uint8Array(await fileOf(id)))).sheets[0]!.rows.slice(1)
    expect([...new Set(rows.map((row) => row[1]))]).toEqual(['คงเดิม'])
    expect(rows).toHaveLength(603)
  })

  test('skips a project that no longer matches', async () => {
    const { ids, load } = await findExportList(
      db,
      createReportEngine(db),
      {},
      { organisationId: organisation, userId: user, at: AT },
      10,
    )
    await db.execute(sql`delete from project_matches where project_id = '00000000003'`)
    const page = await loadExportRows(db, organisation, ids, ['attachments'])
    expect(page.load).toBe(load)
    expect(page.rows.map((row) => row.project_id)).toEqual(['00000000002', '00000000001'])
  })

  test('retries a failure with growing delays and notifies after the sixth', async () => {
    const id = await startExport({ query: { ordering: 'no such column' } })
    for (let tries = 1; tries <= 6; tries += 1) {
      expect(await stateOf(id)).toMatchObject({ state: 'waiting' })
      expect(await work(later(tries * 120))).toBe(1)
    }
    expect(await stateOf(id)).toMatchObject({ state: 'failed', bytes: null })
    expect(lines.map(({ text }) => text).at(-1)).toBe('job dead: no more retries')
  })

  test('a stopped worker leaves its job to the next, without counting the attempt', async () => {
    const id = await startExport()
    const stop = new AbortController()
    const now = () => {
      queueMicrotask(() => stop.abort())
      return AT
    }
    await runDue(exportJob, { db, parts: {}, log, now, signal: stop.signal })
    expect(await stateOf(id)).toMatchObject({ state: 'waiting' })
    expect(await jobsOf(db, 'export')).toMatchObject([{ attempts: 0 }])
    expect(await work()).toBe(1)
    expect(await stateOf(id)).toMatchObject({ state: 'done' })
  })

  test('deletes a file with all its parts after a day', async () => {
    const id = await startExport()
    await work()
    await pruneExports(db, later(23 * 3600))
    expect(await idsIn(id)).toHaveLength(3)
    await pruneExports(db, later(25 * 3600))
    expect(await findExport(db, user, id)).toBeUndefined()
    expect(await db.query(sql`select 1 from report_export_parts`)).toEqual([])
  })

  test('a worker handles a request within about a second, and stops', async () => {
    const worker = startQueueWorker({ db, kinds: [exportJob], parts: {}, log, now: () => new Date() })
    const id = await startExport()
    await expect.poll(async () => (await stateOf(id)).state, { timeout: 20_000 }).toBe('done')
    await worker.stop()
    const late = await startExport()
    await sleep(1_200)
    expect(await stateOf(late)).toMatchObject({ state: 'waiting' })
  })
})
