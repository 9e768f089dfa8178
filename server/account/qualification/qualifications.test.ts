import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EMPTY_QUALIFICATIONS } from '#contract/account/qualification.ts'
import { type DocumentRequirement, documentRequirementsSchema } from '#contract/documents/requirement.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { saveDocumentReadResult } from '#server/documents/queries.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { appOn, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { addLoad, putProjects } from '../../../test/world/report-world.ts'

const NOW = new Date('2026-11-23T03:00:00Z')
const P = '67110000001'
const PAGE = `๒. คุณสมบัติของผู้ยื่นข้อเสนอ
๒.๑ ผู้ยื่นข้อเสนอต้องมีผลงานประเภทเดียวกันในวงเงินไม่น้อยกว่า ๕,๐๐๐,๐๐๐ บาท (ห้าล้านบาทถ้วน)
๒.๒ ผู้ยื่นข้อเสนอต้องได้รับมาตรฐาน ISO 9001 และแนบสำเนาหนังสือรับรอง`
const WORK = { name: ' กล้อง 64 จุด ', kinds: 'กล้องวงจรปิด', agency: 'อบต.', baht: 6_200_000.5, year: 2567 }

onEachEngineInTurn('what an organisation brings to a tender', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let boss: SignedIn
  let member: SignedIn
  let stranger: SignedIn

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    const load = await addLoad(db)
    await putProjects(db, load, [{ id: P, name: 'ประกวดราคาซื้อก่อสร้างกล้องวงจรปิด (e-bidding)' }])
    await db.execute(sql`update projects set submission_ends_on = '2026-12-02' where project_id = ${P}`)
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
    app = await appOn(db, { now: () => NOW })
    boss = await signIn(app, 'manager@tharamek.example')
    member = await signIn(app, 'sales@tharamek.example')
    stranger = await signIn(app, 'manager@noensai.example')
    const [{ id } = { id: 0 }] = await db.query<{ id: number }>(
      sql`select organisation_id as id from users where email_key = 'manager@tharamek.example'`,
    )
    await db.execute(sql`
      insert into documents (id, organisation_id, project_id, hash, type, name, bytes, added_at)
      values ('tor', ${id}::int, ${P}, 'tor', 'pdf', 'tor.pdf', 8, ${NOW.toISOString()}::timestamptz)`)
    const reading = { outcome: 'read', kind: 'tor', pages: [{ text: PAGE }], facts: [] } as const
    await db.transaction((tx) =>
      saveDocumentReadResult(
        tx,
        { id: 'tor', organisationId: id },
        { ...reading, pages: [...reading.pages], facts: [] },
        NOW,
      ),
    )
  })
  afterAll(() => app.close())

  const read = (user: SignedIn) => app.inject({ url: '/api/v2/qualifications', headers: user.headers })
  const patch = (body: object, user = boss) =>
    app.inject({ method: 'PATCH', url: '/api/v2/qualifications', headers: user.headers, payload: body })
  const requirements = async (): Promise<DocumentRequirement[]> => {
    const answer = await app.inject({ url: '/api/v2/documents/tor/requirements', headers: member.headers })
    return documentRequirementsSchema.parse(answer.json()).requirements
  }

  test('initially asks about every clause, naming the missing part and its page', async () => {
    expect((await read(member)).json()).toEqual(EMPTY_QUALIFICATIONS)
    expect(
      (await requirements()).map(({ number, page, answer }) => [number, page, answer.can, answer.missing]),
    ).toEqual([
      ['2.1', 1, 'ask', 'past_works'],
      ['2.2', 1, 'ask', 'certificates'],
    ])
  })

  test('super users update single parts, members read, other parts stay, and each change is audited', async () => {
    expect((await patch({ past_works: [WORK] }, member)).statusCode).toBe(403)
    expect((await patch({ past_works: [WORK] })).statusCode).toBe(200)
    const certificates = [{ name: 'ISO 9001', number: '1', expires_on: '2026-11-30' }]
    expect((await patch({ capital: 5_000_000, certificates })).json()).toEqual({
      ...EMPTY_QUALIFICATIONS,
      capital: 5_000_000,
      certificates,
      past_works: [{ ...WORK, name: 'กล้อง 64 จุด' }],
    })
    expect((await patch({ capital: null })).json()).toMatchObject({ capital: null, certificates })
    expect((await read(member)).json()).toMatchObject({ certificates })
    expect((await requirements()).map(({ answer: { can, reason } }) => [can, reason])).toEqual([
      ['yes', expect.stringContaining('กล้อง 64 จุด อบต. 6.2 ล้าน บาท ปี 2567')],
      ['no', expect.stringContaining('หมดอายุ 30 พ.ย. 2569 ก่อนวันยื่น 2 ธ.ค. 2569')],
    ])
    const audited = await db.query<{ detail: object }>(
      sql`select detail from audit_events where kind = 'qualifications_changed' order by id`,
    )
    expect(audited.map(({ detail }) => detail)).toEqual([
      { changed: ['past_works'] },
      { changed: ['capital', 'certificates'] },
      { changed: ['capital'] },
    ])
    const log = await app.inject({ url: '/api/v2/organisations/me/logs', headers: boss.headers })
    expect(log.body).toContain('แก้คุณสมบัติของบริษัทเรา')
  })

  test('other organisations do not see it', async () => {
    expect((await read(stranger)).json()).toEqual(EMPTY_QUALIFICATIONS)
  })

  test.each([
    [{ past_works: [{ ...WORK, name: ' ' }] }, 'บอกว่าเป็นงานอะไร'],
    [{ past_works: [{ ...WORK, year: 2024 }] }, 'ปี พ.ศ.'],
    [{ past_works: [{ ...WORK, baht: 0 }] }, 'มากกว่า 0'],
    [{ past_works: Array.from({ length: 101 }, () => WORK) }, 'ไม่เกิน 100'],
    [{ certificates: [{ name: 'x', number: '', expires_on: '2026-02-31' }] }, 'วันหมดอายุไม่ถูกต้อง'],
    [{ classes: [{ branch: 'ทาง', grade: 9 }] }, ''],
    [{ sme: 'huge' }, ''],
    [{ capital: -1 }, 'มากกว่า 0'],
    [{ tax_id: '3101200345678' }, 'ระบบไม่เก็บเลขของบุคคล'],
    [{ tax_id: '0105550000017' }, 'ใส่เลขนิติบุคคล 13 หลัก'],
    [{ bond_line: 0 }, 'มากกว่า 0'],
    [{ people: [{ position: 'ช่าง', count: 0, degree: 'none', years: 0 }] }, 'อย่างน้อย 1 คน'],
    [{ people: [{ position: 'ช่าง', count: 1, degree: 'x', years: 0 }] }, ''],
  ])('rejects %j', async (body, text) => {
    const answer = await patch(body)
    expect(answer.statusCode).toBe(400)
    expect(answer.body).toContain(text)
  })
})
