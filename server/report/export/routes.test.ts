import { gunzipSync } from 'node:zlib'
import { readXlsx } from 'hucre/xlsx'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ReportExport, reportExportListSchema, reportExportSchema } from '#contract/report/report-export.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { exportJob } from '#server/jobs/export-job.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { runDue } from '../../../test/jobs.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { emptyTables } from '../../../test/server/empty-tables.ts'
import { appOn, enterDemo, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { addLoad, putProjects, setWords } from '../../../test/world/report-world.ts'

const AT = new Date('2026-11-21T02:00:00Z')
const CANARY = 'นกขมิ้นเหลืองอ่อน'
const EXPORT_REQUEST = { format: 'xlsx', query: {}, columns: ['project_id', 'name'] }

onEachEngineInTurn('exports over HTTP', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let now = AT
  let a: SignedIn
  let colleague: SignedIn
  let b: SignedIn
  let demo: SignedIn

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    const organisations = await db.query<{ id: number; code: string }>(sql`
      select id, code from organisations where code in ('tharamek', 'noensai') order by code desc`)
    await setWords(db, organisations[0]!.id, { include: [CANARY] })
    await setWords(db, organisations[1]!.id, { include: ['ถนน'] })
    const load = await addLoad(db)
    await putProjects(db, load, [
      { id: '00670000001', name: `ซื้อกล้อง ${CANARY}`, submissionEndsOn: '2026-12-01' },
      { id: '00670000002', name: 'ก่อสร้างถนน', province: 42, deptProvince: 42 },
    ])
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
    app = await appOn(db, { now: () => now, settings: { limits: { exportsHourly: 10 } } })
    a = await signIn(app, 'manager@tharamek.example')
    colleague = await signIn(app, 'sales@tharamek.example')
    b = await signIn(app, 'manager@noensai.example')
    demo = await enterDemo(app)
  })
  beforeEach(async () => {
    now = AT
    await emptyTables(db, 'report_exports', 'jobs')
    await db.execute(sql`delete from audit_events`)
  })
  afterAll(() => app.close())

  const send = (method: 'GET' | 'POST', path: string, user: SignedIn, payload?: object, key?: string) =>
    app.inject({
      method,
      url: `/api/v2/projects/exports${path}`,
      headers: { ...user.headers, ...(key === undefined ? {} : { 'idempotency-key': key }) },
      ...(payload ? { payload } : {}),
    })
  const start = async (user: SignedIn, payload: object = EXPORT_REQUEST, key?: string): Promise<ReportExport> => {
    const answer = await send('POST', '', user, payload, key)
    expect([answer.statusCode, answer.body]).toEqual([202, expect.any(String)])
    return reportExportSchema.parse(answer.json())
  }
  const work = () => runDue(exportJob, { db, parts: {}, now })

  test('starts, reports and serves an export, with the name and headers of an uncached download', async () => {
    const started = await start(a)
    expect(started).toMatchObject({ state: 'waiting', done: 0, total: null, bytes: null, expires_at: null })
    expect((await send('GET', `/${started.id}/file`, a)).statusCode).toBe(404)
    await work()
    const done = (await send('GET', `/${started.id}`, a)).json()
    expect(reportExportSchema.parse(done)).toMatchObject({ state: 'done', done: 1, total: 1 })
    const file = await send('GET', `/${started.id}/file/`, a)
    expect(file.statusCode).toBe(200)
    expect(file.headers).toMatchObject({
      'content-type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'content-length': String(done.bytes),
      'content-disposition': `attachment; filename="REPORT_20261121.xlsx"; filename*=UTF-8''REPORT_20261121.xlsx`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    const { sheets } = await readXlsx(new Uint8Array(file.rawPayload))
    expect(sheets[0]!.rows[1]).toEqual(['00670000001', `ซื้อกล้อง ${CANARY}`])
    const again = await send('GET', `/${started.id}/file`, a)
    expect(again.rawPayload.equals(file.rawPayload)).toBe(true)
    const list = reportExportListSchema.parse((await send('GET', '', a)).json())
    expect(list.exports.map(({ id }) => id)).toEqual([started.id])
  })

  test('streams a compressed CSV completely', async () => {
    const { id } = await start(a, { ...EXPORT_REQUEST, format: 'csv' })
    await work()
    const plain = await send('GET', `/${id}/file`, a)
    expect(plain.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(plain.body).toBe(`\uFEFFเลขที่โครงการ,ชื่อโครงการ\r\n00670000001,ซื้อกล้อง ${CANARY}\r\n`)
    const headers = { ...a.headers, 'accept-encoding': 'gzip' }
    const packed = await app.inject({ url: `/api/v2/projects/exports/${id}/file`, headers })
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(packed.headers['content-length']).toBeUndefined()
    expect(gunzipSync(packed.rawPayload).equals(plain.rawPayload)).toBe(true)
  })

  test('R59: starting and fetching each leave one audit row with only the request’s details', async () => {
    const { id } = await start(a, { ...EXPORT_REQUEST, query: { ordering: 'project_budget' } })
    await work()
    await send('GET', `/${id}/file`, a)
    await app.inject({ method: 'HEAD', url: `/api/v2/projects/exports/${id}/file`, headers: a.headers })
    expect(
      await db.query(sql`
        select e.kind, u.email, e.detail from audit_events e join users u on u.id = e.user_id where e.kind like 'export%' order by e.id`),
    ).toEqual([
      {
        kind: 'export_started',
        email: 'manager@tharamek.example',
        detail: { export: id, format: 'xlsx', query: { ordering: 'project_budget' }, columns: EXPORT_REQUEST.columns },
      },
      { kind: 'export_fetched', email: 'manager@tharamek.example', detail: { export: id } },
    ])
  })

  test('refuses unreadable input by parameter: an unknown filter must not widen the file', async () => {
    const refused = await send('POST', '', a, { ...EXPORT_REQUEST, query: { project_budget__range: 'lots' } })
    expect(refused.statusCode).toBe(400)
    expect(refused.json()).toHaveProperty('project_budget__range')
    const bodies = [
      { ...EXPORT_REQUEST, format: 'pdf' },
      { ...EXPORT_REQUEST, columns: [] },
      { ...EXPORT_REQUEST, columns: ['name', 'name'] },
      { ...EXPORT_REQUEST, columns: ['password_hash'] },
      { ...EXPORT_REQUEST, query: { page: ['1'] } },
    ]
    for (const body of bodies) expect([body, (await send('POST', '', a, body)).statusCode]).toEqual([body, 400])
    expect((await send('POST', '', a, EXPORT_REQUEST, 'k'.repeat(201))).statusCode).toBe(400)
    expect((await send('GET', '', a)).json()).toEqual({ exports: [] })
  })

  test('R46: twenty requests with one key start one export; keys are bound to the query and the user', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => send('POST', '', a, EXPORT_REQUEST, 'same')))
    expect(new Set(answers.map((answer) => `${answer.statusCode} ${answer.json().id}`)).size).toBe(1)
    expect((await send('POST', '', a, { ...EXPORT_REQUEST, format: 'csv' }, 'same')).statusCode).toBe(400)
    const colleagueExport = await start(colleague, EXPORT_REQUEST, 'same')
    expect(colleagueExport.id).not.toBe(answers[0]!.json().id)
    expect(await db.query(sql`select 1 from report_exports`)).toHaveLength(2)
  })

  test('R42: runs two at once per organisation across users; another organisation is not delayed', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, i) => send('POST', '', i % 2 === 0 ? a : colleague, EXPORT_REQUEST)),
    )
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([202, 202, 429, 429, 429, 429])
    const refused = answers.find(({ statusCode }) => statusCode === 429)!
    expect(refused.headers['retry-after']).toBe('10')
    expect(refused.json().non_field_errors[0]).toContain('กำลังส่งออกอยู่ 2 ไฟล์')
    await start(b)
    await work()
    await start(a)
  })

  test('R42: allows ten an hour per organisation and returns when the next may start', async () => {
    const first = now.getTime()
    for (let n = 0; n < 10; n += 1) {
      await start(n % 2 === 0 ? a : colleague)
      await work()
      now = new Date(now.getTime() + 10_000)
    }
    const refused = await send('POST', '', a, EXPORT_REQUEST)
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBe(3600 - 100)
    await start(b)
    now = new Date(first + 3_600_001)
    await start(await signIn(app, 'manager@tharamek.example'))
  })

  test('a cancelled export stays cancelled; a finished one stays finished', async () => {
    const { id } = await start(a)
    const cancelled = await send('POST', `/${id}/cancel`, a)
    expect([cancelled.statusCode, cancelled.json().state]).toEqual([200, 'cancelled'])
    expect(await work()).toBe(0)
    expect((await send('POST', `/${id}/cancel`, a)).json().state).toBe('cancelled')
    const secondExport = await start(a)
    await work()
    expect((await send('POST', `/${secondExport.id}/cancel`, a)).json().state).toBe('done')
    expect((await send('GET', `/${secondExport.id}/file`, a)).statusCode).toBe(200)
  })

  test('R24: another user’s export answers like a missing one, and no answer to B contains A’s canary', async () => {
    const { id } = await start(a)
    await work()
    const paths = [`/${id}`, `/${id}/file`]
    for (const user of [b, colleague]) {
      for (const path of paths) {
        const unknown = await send('GET', path.replace(id, crypto.randomUUID()), user)
        const answer = await send('GET', path, user)
        expect([answer.statusCode, answer.body]).toEqual([404, unknown.body])
      }
      expect((await send('POST', `/${id}/cancel`, user)).statusCode).toBe(404)
      expect((await send('GET', '', user)).json()).toEqual({ exports: [] })
    }
    expect((await send('GET', `/${id}`, a)).json().state).toBe('done')
    const otherExport = await start(b, { ...EXPORT_REQUEST, query: { project_id__in: '00670000001||00670000002' } })
    await work()
    const { sheets } = await readXlsx(new Uint8Array((await send('GET', `/${otherExport.id}/file`, b)).rawPayload))
    expect(JSON.stringify(sheets.map(({ rows }) => rows))).not.toContain(CANARY)
  })

  test('C6: refuses every export request of the demo', async () => {
    for (const payload of [EXPORT_REQUEST, undefined])
      expect((await send('POST', '', demo, payload)).statusCode).toBe(403)
    for (const path of ['', '/x', '/x/file']) expect((await send('GET', path, demo)).statusCode).toBe(403)
    expect(await db.query(sql`select 1 from report_exports`)).toEqual([])
  })
})
