import { readXlsx } from 'hucre/xlsx'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { readZip } from '../../../test/read-zip.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { enterDemo, type SignedIn } from '../../../test/server/http-app.ts'
import { A, B, type ComparisonApp, comparisonApp, putHandWorld, TIN } from '../../../test/world/comparison-world.ts'

onEachEngineInTurn('GET /company-comparison/file', (makeDb) => {
  let db: OpenDb
  let on: ComparisonApp
  let me: SignedIn

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    on = await comparisonApp(db)
    me = await on.member(['กล้อง'])
    await putHandWorld(db)
    await db.execute(sql`update projects set name = '=1+1 ซื้อกล้อง' where project_id = '69010000001'`)
  })
  afterAll(() => on.app.close())

  const file = async (query: Record<string, string>) => {
    const answer = await on.get('/file', query, me)
    expect(answer.statusCode, answer.body).toBe(200)
    return answer
  }
  const both = { project_winner_name__in: [A, B].join('||') }

  test('has the screen as four sheets of typed cells, and the scope on a fifth', async () => {
    const answer = await file(both)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'content-disposition': `attachment; filename="company-comparison-20261121.xlsx"; filename*=UTF-8''company-comparison-20261121.xlsx`,
    })
    const { sheets } = await readXlsx(new Uint8Array(answer.rawPayload))
    expect(sheets.map(({ name, rows }) => [name, rows.length])).toEqual([
      ['สรุป', 3],
      ['การพบกัน', 2],
      ['โครงการที่พบกัน', 5],
      ['หน่วยงาน', 4],
      ['ขอบเขต', 8],
    ])
    const comparison = await on.compare([A, B], {}, me)
    const [summary, meetings, common, departments, about] = sheets.map(({ rows }) => rows.slice(1))
    expect(summary![0]!.slice(0, 7)).toEqual([A, TIN.A, 'ไม่ใช่', 4, comparison.companies[0]!.value, 3, 1])
    expect(meetings![0]!.slice(0, 8)).toEqual([A, B, 4, 1, 1, 1, 1, 0.015])
    expect(common![2]).toEqual([
      '69010000001',
      '=1+1 ซื้อกล้อง',
      'เทศบาลเมืองหนึ่ง',
      'เทศบาลเมืองหนึ่ง',
      new Date('2026-01-10'),
      1_000_000,
      'เกณฑ์ราคา',
      TIN.A,
      900_000,
      900_000,
      0.9,
      950_000,
      0.95,
    ])
    expect(departments!.map((row) => row.slice(0, 3))).toEqual(
      comparison.departments.map(({ department, cells }) => [department, cells[0]!.wins, cells[0]!.value]),
    )
    expect(about![0]).toEqual(['ขอบเขต', 'ทุกโครงการ'])
  })

  test('R34: ids are text, names that look like formulas are quoted, and no sheet has a formula', async () => {
    const parts = readZip((await file(both)).rawPayload)
    const common = parts.get('xl/worksheets/sheet3.xml')!
    expect(common).toMatch(/<c r="A4" s="4" t="inlineStr"><is><t xml:space="preserve">69010000001</)
    expect(common).toMatch(/<c r="B4" s="3" t="inlineStr"><is><t xml:space="preserve">=1\+1 ซื้อกล้อง</)
    expect(common).toMatch(/<c r="E4" s="5"><v>46032<\/v>/)
    expect(common).toMatch(/<c r="K4" s="10"><v>0.9<\/v>/)
    expect([...parts.values()].join('')).not.toMatch(/<f[ >/]/)
  })

  test('the meetings sheet explains missing bidders instead of showing zeros', async () => {
    const { sheets } = await readXlsx(new Uint8Array((await file({ ...both, year_to: '2567' })).rawPayload))
    expect(sheets[1]!.rows.slice(1).map(([text]) => text)).toEqual([expect.stringMatching(/^มีข้อมูลเฉพาะผู้ชนะ/)])
    expect(sheets[4]!.rows.map(([name, value]) => [name, value])).toContainEqual(['ถึงปีงบประมาณ', '2567'])
  })

  test('works without companies and refuses unreadable parameters', async () => {
    const { sheets } = await readXlsx(new Uint8Array((await file({})).rawPayload))
    expect(sheets).toHaveLength(5)
    expect((await on.get('/file', { year_from: 'x' }, me)).statusCode).toBe(400)
  })

  test('R59: GET writes an audit row, HEAD does not; C6: the demo gets 403', async () => {
    const traces = sql`select detail from audit_events where kind = 'export_fetched'`
    await db.execute(sql`delete from audit_events`)
    const { headers } = me
    const url = `/api/v2/company-comparison/file?${new URLSearchParams(both)}`
    expect((await on.app.inject({ method: 'HEAD', url, headers })).statusCode).toBe(200)
    expect(await db.query(traces)).toEqual([])
    await file(both)
    expect(await db.query(traces)).toEqual([{ detail: { companies: [A, B] } }])
    expect((await on.get('/file', both, await enterDemo(on.app))).statusCode).toBe(403)
  })
})
