import { readXlsx } from 'hucre/xlsx'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { LABEL_COLORS } from '#contract/account/label-palette.ts'
import { type UsageLogPageResponse, usageLogPageSchema } from '#contract/account/usage-log.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { recordUsageEvents } from '#server/platform/route/usage-events.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { appOn, enterDemo, signIn } from '../../../test/server/http-app.ts'

const NOON = new Date('2026-11-21T05:00:00Z')
const LOGS = '/api/v2/organisations/me/logs'

onEachEngineInTurn('the usage log', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let manager: Record<string, string>
  let sales: Record<string, string>
  let ids: { organisationId: number; userId: number }

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    app = await appOn(db, { now: () => NOON })
    manager = (await signIn(app, 'manager@tharamek.example')).headers
    sales = (await signIn(app, 'sales@tharamek.example')).headers
    const [row] = await db.query<{ organisationId: number; userId: number }>(sql`
      select organisation_id as "organisationId", id as "userId" from users where email_key = 'sales@tharamek.example'`)
    ids = row!
  })
  afterAll(() => app.close())
  beforeEach(() => db.execute(sql`delete from usage_events`))

  const read = async (query = '', headers = manager): Promise<UsageLogPageResponse> => {
    const answer = await app.inject({ url: `${LOGS}${query}`, headers })
    expect(answer.statusCode, answer.body).toBe(200)
    return usageLogPageSchema.parse(answer.json())
  }
  const patch = (payload: object) => app.inject({ method: 'PATCH', url: '/api/v2/users/me', headers: sales, payload })
  const note = (count: number, at = NOON) =>
    recordUsageEvents(
      db,
      Array.from({ length: count }, (_, n) => ({
        ...ids,
        at: new Date(at.getTime() - n * 1_000),
        type: 'open' as const,
        description: `เปิดดูโครงการ ${n}`,
      })),
    )

  test('names actor and action in words: a login, a setting, a label with its name', async () => {
    await signIn(app, 'sales@tharamek.example')
    await patch({ is_noti_e_bidding: true })
    await patch({
      label_action: {
        action: 'create_label',
        label_id: 'a-1',
        label_name: 'ด่วนมาก',
        label_color: LABEL_COLORS[0],
      },
    })
    const { results, users } = await read()
    expect(results.map(({ user, type, description }) => [user, type, description]).toReversed()).toEqual([
      ['กฤตภาส วงศ์สายหมอก', 'session', 'เข้าสู่ระบบ'],
      ['กฤตภาส วงศ์สายหมอก', 'settings', 'ตั้งค่าแจ้งเตือน e-bidding'],
      ['กฤตภาส วงศ์สายหมอก', 'label', 'สร้างป้ายกำกับ'],
    ])
    expect(results[0]!.additional_info).toEqual([{ name: 'ป้าย', value: 'ด่วนมาก' }])
    expect(users.map(({ name }) => name)).toContain('ปวีณา ธารเมฆา')
  })

  test('lists an added and removed word with its watch list', async () => {
    await app.inject({
      method: 'POST',
      url: '/api/v2/organisations/me',
      headers: sales,
      payload: { exclude_keywords: [{ word: 'เครื่องกรองน้ำดื่มสแตนเลส' }] },
    })
    await app.inject({
      method: 'POST',
      url: '/api/v2/organisations/me/keywords/remove',
      headers: sales,
      payload: { exclude_keywords: [{ word: 'เครื่องกรองน้ำดื่มสแตนเลส' }] },
    })
    const { results } = await read('?type=keyword')
    expect(
      results.map(({ description, additional_info: info }) => [
        description,
        ...info.map(({ name, value }) => `${name} ${value}`),
      ]),
    ).toEqual([
      ['ลบคำติดตาม', 'ลบ · คำที่ไม่รวม เครื่องกรองน้ำดื่มสแตนเลส'],
      ['เพิ่มคำติดตาม', 'เพิ่ม · คำที่ไม่รวม เครื่องกรองน้ำดื่มสแตนเลส'],
    ])
  })

  test('a rejected change writes no entry', async () => {
    await patch({ bookmark_action: { action: 'add', project_id: '00000000000' } })
    await patch({ first_name: '' })
    expect((await read()).total_project).toBe(0)
  })

  test('returns pages of 10 by default, with relative links to all pages', async () => {
    await note(23)
    const seen: string[] = []
    for (let url: string | null = LOGS; url !== null; ) {
      const page: UsageLogPageResponse = usageLogPageSchema.parse((await app.inject({ url, headers: manager })).json())
      expect([page.total_project, page.page_size]).toEqual([23, 10])
      seen.push(...page.results.map(({ description }) => description))
      url = page.links.next
      if (url !== null) expect(url).toMatch(/^\/api\/v2\//)
    }
    expect(seen).toEqual(Array.from({ length: 23 }, (_, n) => `เปิดดูโครงการ ${n}`))
    expect((await read('?page=99')).results).toEqual([])
  })

  test('filters by person, kind, day in Bangkok and text; rejects or reports invalid filters', async () => {
    await note(2, new Date('2026-11-20T17:00:00Z'))
    await note(1, new Date('2026-11-19T16:59:59Z'))
    expect((await read('?date__range=2026-11-21,2026-11-21')).total_project).toBe(1)
    expect((await read('?date__range=,2026-11-19')).total_project).toBe(1)
    expect((await read(`?user=${ids.userId}`)).total_project).toBe(3)
    expect((await read('?user=999999')).total_project).toBe(0)
    expect((await read('?type=search')).total_project).toBe(0)
    expect((await read(`?q=${encodeURIComponent('โครงการ ๑')}`)).total_project).toBe(1)
    expect((await read('?q=%25')).total_project).toBe(0)
    expect((await read('?colour=red')).ignored_parameters).toEqual(['colour'])
    const refused = await app.inject({ url: `${LOGS}?page_size=33`, headers: manager })
    expect([refused.statusCode, refused.json()]).toMatchObject([400, { page_size: [expect.any(String)] }])
  })

  test('the demo neither writes nor reads entries', async () => {
    const { headers } = await enterDemo(app)
    await app.inject({ method: 'PATCH', url: '/api/v2/users/me', headers, payload: { is_noti_e_bidding: false } })
    const [row] = await db.query<{ n: number }>(sql`select count(*) as n from usage_events`)
    expect(row!.n).toBe(0)
    expect((await app.inject({ url: LOGS, headers })).statusCode).toBe(403)
  })

  test('another organisation sees none of them', async () => {
    await note(3)
    const otherHeaders = (await signIn(app, 'manager@noensai.example')).headers
    const page = await read('?page_size=50', otherHeaders)
    expect(page.results.map(({ description }) => description)).toEqual(['เข้าสู่ระบบ'])
    expect(JSON.stringify(page)).not.toContain('กฤตภาส')
  })

  describe('export file', () => {
    test('contains every filtered entry in order, formulas as text, and the day in its name', async () => {
      await recordUsageEvents(db, [
        { ...ids, at: NOON, type: 'search', description: '=1+1', info: [{ name: 'คำ', value: '+2' }] },
      ])
      await note(1_500, new Date(NOON.getTime() - 10_000))
      const answer = await app.inject({ url: `${LOGS}/export?type=open||search`, headers: manager })
      expect(answer.headers['content-disposition']).toContain('filename="USAGE_HISTORY_20261121.xlsx"')
      const { sheets } = await readXlsx(answer.rawPayload)
      const [, ...rows] = sheets[0]!.rows
      expect(rows).toHaveLength(1_501)
      expect(rows[0]!.slice(1, 4)).toEqual(['กฤตภาส วงศ์สายหมอก', 'ค้นหา', '=1+1'])
      expect(rows.at(-1)![3]).toBe('เปิดดูโครงการ 1499')
      expect((await read('?type=export')).results.map(({ description }) => description)).toEqual(['ส่งออกประวัติการใช้งาน'])
    })
  })
})
