import { Buffer } from 'node:buffer'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ReportCard, reportCardImportSchema, reportCardsSchema } from '#contract/account/report-card.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { appOn, type SignedIn, signIn } from '../../../test/server/http-app.ts'

const NOW = new Date('2026-11-29T03:00:00Z')
const HEADER = 'เลขผู้เสียภาษี,ชื่อ,แต้ม,พักสิทธิถึง'
const checkDigitOf = (first: string) =>
  (11 - ([...first].reduce((sum, digit, at) => sum + Number(digit) * (13 - at), 0) % 11)) % 10
const juristic = (n: number) => {
  const first = `0${String(n).padStart(11, '0')}`
  return first + checkDigitOf(first)
}
const [US, RIVAL] = [juristic(105536001), juristic(105536002)]
const PERSON = '1234567890121'

onEachEngineInTurn('report cards of contractors', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let boss: SignedIn
  let member: SignedIn
  let stranger: SignedIn

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    app = await appOn(db, { now: () => NOW })
    boss = await signIn(app, 'manager@tharamek.example')
    member = await signIn(app, 'sales@tharamek.example')
    stranger = await signIn(app, 'manager@noensai.example')
  })
  afterAll(() => app.close())

  const call = (method: 'GET' | 'PUT' | 'DELETE' | 'POST' | 'PATCH', path: string, caller: SignedIn, body?: object) =>
    app.inject({ method, url: `/api/v2/${path}`, headers: caller.headers, ...(body && { payload: body }) })
  const list = async (caller = member): Promise<ReportCard[]> =>
    reportCardsSchema.parse((await call('GET', 'report-cards', caller)).json()).results
  const importFile = (lines: readonly string[], caller = boss) =>
    call('POST', 'report-cards/file', caller, { file: Buffer.from([HEADER, ...lines].join('\n')).toString('base64') })
  const ours = async () => {
    const { suspended_until, report_card_points } = (await call('GET', 'qualifications', member)).json()
    return [suspended_until, report_card_points]
  }

  test('super users note them by hand, members read them, other organisations do not', async () => {
    const entry = { name: ' บริษัท คู่แข่ง จำกัด ', points: 60, suspended_until: '2027-01-12' }
    expect((await call('PUT', `report-cards/${RIVAL}`, member, entry)).statusCode).toBe(403)
    expect((await call('PUT', `report-cards/${RIVAL}`, boss, entry)).json()).toEqual({
      ...{ tax_id: RIVAL, name: 'บริษัท คู่แข่ง จำกัด', points: 60, suspended_until: '2027-01-12' },
      noted_at: NOW.toISOString(),
    })
    expect(await list()).toHaveLength(1)
    expect(await list(stranger)).toEqual([])
    const log = await call('GET', 'organisations/me/logs', boss)
    expect(log.body).toContain('แก้สมุดพกผู้รับเหมา')
  })

  test('a file stores its good lines, reports all others, and counts what did not change', async () => {
    const answer = await importFile([`${RIVAL},บริษัท คู่แข่ง จำกัด,60,12/1/2570`, `${PERSON},นาย ก,10,`, `${US},เรา,10,`])
    expect(reportCardImportSchema.parse(answer.json())).toEqual({
      saved: 1,
      unchanged: 1,
      problems: [{ line: 3, reason: 'เป็นเลขของบุคคลธรรมดา ระบบไม่เก็บเลขบุคคล' }],
    })
    expect((await list()).map(({ tax_id }) => tax_id)).toEqual([RIVAL, US])
  })

  test("our own line fills in our qualifications, once they state our juristic person's id", async () => {
    expect(await ours()).toEqual([null, null])
    expect((await call('PATCH', 'qualifications', boss, { tax_id: PERSON })).statusCode).toBe(400)
    expect((await call('PATCH', 'qualifications', boss, { tax_id: US })).statusCode).toBe(200)
    await importFile([`${US},เรา,30,2027-03-01`])
    expect(await ours()).toEqual(['2027-03-01', 30])
    await call('PUT', `report-cards/${US}`, boss, { name: 'เรา', points: 30, suspended_until: null })
    expect(await ours()).toEqual([null, 30])
  })

  test("refuse a person's id everywhere, and store it nowhere", async () => {
    const entry = { name: 'นาย ก', points: 1, suspended_until: null }
    for (const id of [PERSON, '3101xxxx89012'])
      for (const method of ['PUT', 'DELETE'] as const)
        expect((await call(method, `report-cards/${id}`, boss, entry)).statusCode).toBe(400)
    const [stored] = await db.query<{ text: string }>(sql`
      select concat((select json_agg(c) from report_cards c), (select json_agg(q) from qualifications q),
        (select json_agg(e) from audit_events e), (select json_agg(u) from usage_events u)) as text`)
    expect(stored!.text).toContain(RIVAL)
    expect(stored!.text).not.toContain(PERSON)
    await expect(
      db.execute(sql`
        insert into report_cards (organisation_id, tax_id, name, noted_at)
        select id, ${PERSON}, 'x', now() from organisations limit 1`),
    ).rejects.toThrow()
  })

  test('refuse a file without header and one that is too large, and delete', async () => {
    const refused = await call('POST', 'report-cards/file', boss, { file: Buffer.from('a,b\n1,2').toString('base64') })
    expect(refused.statusCode).toBe(400)
    expect(refused.body).toContain('ไม่พบหัวตาราง')
    const large = await call('POST', 'report-cards/file', boss, { file: 'A'.repeat(666_672) })
    expect([400, 413]).toContain(large.statusCode)
    expect((await call('DELETE', `report-cards/${RIVAL}`, boss)).statusCode).toBe(204)
    expect((await call('DELETE', `report-cards/${RIVAL}`, boss)).statusCode).toBe(404)
  })
})
