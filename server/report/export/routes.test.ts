import { gunzipSync } from 'node:zlib'
import { readXlsx } from 'hucre/xlsx'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ReportExport, reportExportListSchema, reportExportSchema } from '#contract/report/report-export.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { exportJob } from '#server/jobs/export-job.ts'
import { matchLoad } from '#server/matching/match-load.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { runDue } from '../../../test/jobs.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { emptyTables } from '../../../test/server/empty-tables.ts'
import { appOn, enterDemo, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { addLoad, putProjects, setWords } from '../../../test/world/report-world.ts'

const AT = new Date('2026-11-21T02:00:00Z')
const CANARY = 'นกขมิ้นเหลืองอ่อน'
const ASKED = { format: 'xlsx', query: {}, columns: ['project_id', 'name'] }

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
    await db.transaction((tx) => matchLoad(tx, load))
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

  const send = (method: 'GET' | 'POST', path: string, who: SignedIn, payload?: object, key?: string) =>
    app.inject({
      method,
      url: `/api/v2/projects/exports${path}`,
      headers: { ...who.headers, ...(key === undefined ? {} : { 'idempotency-key': key }) },
      ...(payload ? { payload } : {}),
    })
  const start = async (who: SignedIn, payload: object = ASKED, key?: string): Promise<ReportExport> => {
    const answer = await send('POST', '', who, payload, key)
    expect([answer.statusCode, answer.body]).toEqual([202, expect.any(String)])
    return reportExportSchema.parse(answer.json())
  }
  const work = () => runDue(exportJob, { db, parts: {}, now })

  test('a file is asked for, followed, fetched; its name and headers are those of a download that nobody keeps', async () => {
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

  test('a CSV that is packed on its way arrives whole', async () => {
    const { id } = await start(a, { ...ASKED, format: 'csv' })
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

  test('R59: asking and fetching leave a row each in the audit trail, with what was asked and no more', async () => {
    const { id } = await start(a, { ...ASKED, query: { ordering: 'project_budget' } })
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
        detail: { export: id, format: 'xlsx', query: { ordering: 'project_budget' }, columns: ASKED.columns },
      },
      { kind: 'export_fetched', email: 'manager@tharamek.example', detail: { export: id } },
    ])
  })

  test('what cannot be read is refused, naming the parameter: a filter that is not understood must not widen the file', async () => {
    const refused = await send('POST', '', a, { ...ASKED, query: { project_budget__range: 'lots' } })
    expect(refused.statusCode).toBe(400)
    expect(refused.json()).toHaveProperty('project_budget__range')
    const bodies = [
      { ...ASKED, format: 'pdf' },
      { ...ASKED, columns: [] },
      { ...ASKED, columns: ['name', 'name'] },
      { ...ASKED, columns: ['password_hash'] },
      { ...ASKED, query: { page: ['1'] } },
    ]
    for (const body of bodies) expect([body, (await send('POST', '', a, body)).statusCode]).toEqual([body, 400])
    expect((await send('POST', '', a, ASKED, 'k'.repeat(201))).statusCode).toBe(400)
    expect((await send('GET', '', a)).json()).toEqual({ exports: [] })
  })

  test('R46: twenty requests with one key are one export; the key of another question is refused, that of another user is its own', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => send('POST', '', a, ASKED, 'same')))
    expect(new Set(answers.map((answer) => `${answer.statusCode} ${answer.json().id}`)).size).toBe(1)
    expect((await send('POST', '', a, { ...ASKED, format: 'csv' }, 'same')).statusCode).toBe(400)
    const others = await start(colleague, ASKED, 'same')
    expect(others.id).not.toBe(answers[0]!.json().id)
    expect(await db.query(sql`select 1 from report_exports`)).toHaveLength(2)
  })

  test('R42: two at once per organisation, whoever of it asks; another organisation is not held up', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, i) => send('POST', '', i % 2 === 0 ? a : colleague, ASKED)),
    )
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([202, 202, 429, 429, 429, 429])
    const refused = answers.find(({ statusCode }) => statusCode === 429)!
    expect(refused.headers['retry-after']).toBe('10')
    expect(refused.json().non_field_errors[0]).toContain('กำลังส่งออกอยู่ 2 ไฟล์')
    await start(b)
    await work()
    await start(a)
  })

  test('R42: ten an hour per organisation; the answer says when the next may be asked for', async () => {
    const first = now.getTime()
    for (let n = 0; n < 10; n += 1) {
      await start(n % 2 === 0 ? a : colleague)
      await work()
      now = new Date(now.getTime() + 10_000)
    }
    const refused = await send('POST', '', a, ASKED)
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBe(3600 - 100)
    await start(b)
    now = new Date(first + 3_600_001)
    await start(await signIn(app, 'manager@tharamek.example'))
  })

  test('cancelled, it stays cancelled; what is done stays done', async () => {
    const { id } = await start(a)
    const cancelled = await send('POST', `/${id}/cancel`, a)
    expect([cancelled.statusCode, cancelled.json().state]).toEqual([200, 'cancelled'])
    expect(await work()).toBe(0)
    expect((await send('POST', `/${id}/cancel`, a)).json().state).toBe('cancelled')
    const other = await start(a)
    await work()
    expect((await send('POST', `/${other.id}/cancel`, a)).json().state).toBe('done')
    expect((await send('GET', `/${other.id}/file`, a)).statusCode).toBe(200)
  })

  test("R24: another user's export is as unknown as none, and no answer to B holds A's canary", async () => {
    const { id } = await start(a)
    await work()
    const paths = [`/${id}`, `/${id}/file`]
    for (const who of [b, colleague]) {
      for (const path of paths) {
        const unknown = await send('GET', path.replace(id, crypto.randomUUID()), who)
        const answer = await send('GET', path, who)
        expect([answer.statusCode, answer.body]).toEqual([404, unknown.body])
      }
      expect((await send('POST', `/${id}/cancel`, who)).statusCode).toBe(404)
      expect((await send('GET', '', who)).json()).toEqual({ exports: [] })
    }
    expect((await send('GET', `/${id}`, a)).json().state).toBe('done')
    const own = await start(b, { ...ASKED, query: { project_id__in: '00670000001||00670000002' } })
    await work()
    const { sheets } = await readXlsx(new Uint8Array((await send('GET', `/${own.id}/file`, b)).rawPayload))
    expect(JSON.stringify(sheets.map(({ rows }) => rows))).not.toContain(CANARY)
  })

  test('C6: the demo gets no file, whatever it sends', async () => {
    for (const payload of [ASKED, undefined]) expect((await send('POST', '', demo, payload)).statusCode).toBe(403)
    for (const path of ['', '/x', '/x/file']) expect((await send('GET', path, demo)).statusCode).toBe(403)
    expect(await db.query(sql`select 1 from report_exports`)).toEqual([])
  })
})
