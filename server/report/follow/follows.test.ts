import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildPurchasingUnitFollowKey, type FollowsPatch, followsSchema, MAX_FOLLOWS } from '#contract/report/follow.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { followUpdateMailJob } from '#server/jobs/mail/follow-mail-job.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { createOutgoingMailQueue } from '#server/platform/route/outgoing-mail.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { runDue } from '../../../test/jobs.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { appOn, enterDemo, type SignedIn, signIn, TEST_SECRET } from '../../../test/server/http-app.ts'
import { queuedMails } from '../../../test/server/mails.ts'
import { addLoad, type ProjectInput, putProjects, setWords } from '../../../test/world/report-world.ts'
import { notifyFollowers } from './notify-followers.ts'

const BOSS = 'manager@tharamek.example'
const NOW = new Date('2026-11-21T03:00:00Z')
const MORNING = new Date('2026-11-22T01:30:00Z')
const TIN = '0105500000001'
const TOWN = 'เทศบาลเมืองตัวอย่าง'

onEachEngineInTurn('follows', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let boss: SignedIn
  let seller: SignedIn
  const mails = createOutgoingMailQueue({ secrets: [TEST_SECRET], baseUrl: () => 'https://tamngan.example' })

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    const [me] = await db.query<{ organisation_id: number }>(
      sql`select organisation_id from users where email_key = ${BOSS}`,
    )
    await setWords(db, me!.organisation_id, { include: ['กล้อง'] })
    app = await appOn(db, { now: () => NOW })
    boss = await signIn(app, BOSS)
    seller = await signIn(app, 'sales@tharamek.example')
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    for (const table of [
      'follows',
      'follow_settings',
      'notifications',
      'mails',
      'jobs',
      'contracts',
      'project_matches',
      'projects',
      'companies',
    ])
      await db.script(`delete from ${table}`)
    await db.execute(
      sql`insert into companies (key, tax_id, name, name_key) values (${`t:${TIN}`}, ${TIN}, 'บริษัท ก จำกัด', 'ก')`,
    )
  })

  const call = (method: 'GET' | 'PATCH', body?: FollowsPatch, user = boss) =>
    app.inject({
      ...{ method, url: '/api/v2/users/me/follows', headers: user.headers },
      ...(body ? { payload: body } : {}),
    })
  const patched = async (body: FollowsPatch, user = boss) => {
    const answer = await call('PATCH', body, user)
    expect(answer.statusCode, answer.body).toBe(200)
    return followsSchema.parse(answer.json())
  }
  /** Publishes a load; matching and notifications share one transaction, which rolls back if `fails`. */
  const load = async (
    inputs: readonly Partial<ProjectInput>[],
    { fails = false, wonBy = [] as readonly string[] } = {},
  ) => {
    const id = await addLoad(db)
    await putProjects(db, id, inputs)
    for (const project of wonBy)
      await db.execute(sql`
        insert into contracts (project_id, contract_no, winner_tin, winner_name, amount_satang) values (${project}, '1', ${TIN}, 'บจก.ก', 1) on conflict do nothing`)
    await db.transaction((tx) => matchDataLoadProjects(tx, id))
    const notify = () =>
      db.transaction(async (tx) => {
        await notifyFollowers(tx, id, NOW)
        if (fails) throw new Error('killed')
      })
    await (fails ? expect(notify()).rejects.toThrow('killed') : notify())
    return { again: () => db.transaction((tx) => notifyFollowers(tx, id, NOW)) }
  }
  const bell = async (user = boss): Promise<string[]> =>
    (await app.inject({ url: '/api/v2/users/me', headers: user.headers }))
      .json()
      .notification_updated_status.notifications.map(
        ({ type, project_id, about }: { type: string; project_id: string; about: string }) =>
          `${type} ${project_id} ${about}`,
      )
  const work = (now = MORNING) => runDue(followUpdateMailJob, { db, parts: { reportMail: { mails } }, now })
  const mailed = async () => (await queuedMails(db)).filter(({ kind }) => kind === 'follow')
  const P = (n: number) => `6711000000${n}`
  const loadKnown = () => load([{ id: P(1), dept: TOWN, name: 'ซื้อกล้องวงจรปิดศูนย์ราชการพร้อมติดตั้ง ปีงบประมาณ 2569' }])

  test('reports a followed agency’s new project once, by bell and next morning’s mail; a killed load nothing', async () => {
    await loadKnown()
    await patched({ add: { kind: 'department', key: TOWN } })
    const news = [
      { id: P(2), dept: TOWN },
      { id: P(3), dept: 'เทศบาลอื่น' },
      { id: P(4), dept: TOWN, name: 'ซ่อมถนน' },
    ]
    await load(news, { fails: true })
    expect([await bell(), await work()]).toEqual([[], expect.anything()])
    expect(await mailed()).toEqual([])
    await db.script('delete from project_matches; delete from projects')
    const { again } = await load(news)
    await again()
    // Without a match the organisation cannot open the page of the project, so no notification is sent.
    expect(await bell()).toEqual([`Followed_department ${P(2)} ${TOWN}`])
    expect(await bell(seller)).toEqual([])
    await load([{ id: P(2), dept: TOWN, budget: 5 }])
    expect(await bell()).toHaveLength(1)
    await work(NOW)
    expect(await mailed()).toEqual([])
    await work()
    await work()
    const [mail, ...more] = await mailed()
    expect(more).toEqual([])
    expect(mail).toMatchObject({ to: BOSS })
    for (const text of [TOWN, `https://tamngan.example/report/${P(2)}`]) expect(mail!.text).toContain(text)
  })

  test('notifies when a followed company wins, by tax id in any notation, but not of old wins', async () => {
    await loadKnown()
    await patched({ add: { kind: 'company', key: `t:${TIN}` } })
    await load([{ id: P(2) }, { id: P(3), winner: 'บจก.ก', winnerAnnouncedOn: '2026-01-05' }], { wonBy: [P(3)] })
    expect(await bell()).toEqual([])
    const { again } = await load([{ id: P(2), winner: 'บจก.ก', winning: 5, winnerAnnouncedOn: '2026-11-20' }], {
      wonBy: [P(2)],
    })
    await again()
    await load([{ id: P(2), winner: 'บจก.ก', winning: 6, winnerAnnouncedOn: '2026-11-20' }])
    expect(await bell()).toEqual([`Followed_company ${P(2)} บริษัท ก จำกัด`])
  })

  test('notifies of next year’s purchase of a followed project, but not of a merely similar one', async () => {
    await loadKnown()
    await db.execute(sql`update projects set fiscal_year = 2569`)
    await patched({ add: { kind: 'project', key: P(1) } })
    const id = await addLoad(db)
    await putProjects(db, id, [
      { id: P(2), dept: TOWN, name: 'ซื้อกล้องวงจรปิดศูนย์ราชการพร้อมติดตั้ง ปีงบประมาณ 2570' },
      { id: P(3), dept: TOWN, name: 'ซื้อกล้องถ่ายภาพดิจิทัลสำหรับงานประชาสัมพันธ์' },
    ])
    await db.execute(sql`update projects set fiscal_year = 2570 where project_id <> ${P(1)}`)
    await db.transaction((tx) => matchDataLoadProjects(tx, id))
    await db.transaction((tx) => notifyFollowers(tx, id, NOW))
    expect(await bell()).toEqual([expect.stringContaining(`Followed_project ${P(2)} ซื้อกล้องวงจรปิดศูนย์ราชการ`)])
  })

  test('bell and mail can be switched off per kind; unfollowing stops notifications', async () => {
    await loadKnown()
    await patched({ add: { kind: 'department', key: TOWN }, bell: [] })
    await load([{ id: P(2), dept: TOWN }])
    expect(await bell()).toEqual([])
    await work()
    expect(await mailed()).toHaveLength(1)
    await patched({ bell: ['department'], mail: [] })
    await load([{ id: P(3), dept: TOWN }])
    expect(await bell()).toHaveLength(1)
    await work()
    expect(await mailed()).toHaveLength(1)
    expect((await patched({ remove: { kind: 'department', key: TOWN } })).follows).toEqual([])
    await load([{ id: P(5), dept: TOWN }])
    expect(await bell()).toHaveLength(1)
  })

  test('reports only a followed unit’s own projects, not other units of the agency or same-named ones', async () => {
    const SCHOOL = { agency: 'สำนักงานการศึกษา', unit: 'โรงเรียนบ้านค่าย', province: 'ระยอง' }
    const of = (n: number, unit: string, deptProvince: number | null) => ({
      id: P(n),
      dept: SCHOOL.agency,
      unit,
      deptProvince,
    })
    await load([of(1, SCHOOL.unit, 21)])
    const { follows } = await patched({ add: { kind: 'department', key: buildPurchasingUnitFollowKey(SCHOOL) } })
    expect(follows).toEqual([
      {
        kind: 'department',
        key: 'สำนักงานการศึกษา › โรงเรียนบ้านค่าย › 21',
        name: 'สำนักงานการศึกษา › โรงเรียนบ้านค่าย จ.ระยอง',
      },
    ])
    await load([of(2, SCHOOL.unit, 21), of(3, SCHOOL.unit, 22), of(4, 'โรงเรียนอื่น', 21), of(5, SCHOOL.unit, null)])
    expect(await bell()).toEqual([`Followed_department ${P(2)} ${follows[0]!.name}`])
    await patched({
      add: { kind: 'department', key: SCHOOL.agency },
      remove: { kind: 'department', key: follows[0]!.key },
    })
    await load([of(6, SCHOOL.unit, 22), of(7, 'โรงเรียนอื่น', 21)])
    expect((await bell()).toSorted()).toEqual(
      [`${P(2)} ${follows[0]!.name}`, `${P(6)} ${SCHOOL.agency}`, `${P(7)} ${SCHOOL.agency}`].map(
        (text) => `Followed_department ${text}`,
      ),
    )
    for (const key of [
      buildPurchasingUnitFollowKey({ ...SCHOOL, province: 'ชลบุรี' }),
      `${SCHOOL.agency} › ไม่มี › `,
      ' › › ',
    ])
      expect((await call('PATCH', { add: { kind: 'department', key } })).statusCode, key).toBe(404)
  })

  test('reports all units of a followed local government, and none of one of its name elsewhere', async () => {
    const of = (n: number, unit: string, deptProvince: number) => ({
      id: P(n),
      dept: 'เทศบาลตำบลดู่',
      unit,
      deptProvince,
    })
    await load([of(1, 'กองช่าง', 55)])
    const key = buildPurchasingUnitFollowKey({ agency: 'เทศบาลตำบลดู่', unit: '', province: 'น่าน' })
    const { follows } = await patched({ add: { kind: 'department', key } })
    expect(follows).toEqual([{ kind: 'department', key, name: 'เทศบาลตำบลดู่ › เทศบาลตำบลดู่ จ.น่าน' }])
    await load([of(2, 'กองช่าง', 55), of(3, 'กองคลัง', 55), of(4, 'กองช่าง', 32)])
    expect((await bell()).toSorted()).toEqual([P(2), P(3)].map((id) => `Followed_department ${id} ${follows[0]!.name}`))
  })

  test('refuses unknown keys, more than two hundred follows, and follows in the demo', async () => {
    await loadKnown()
    for (const [kind, key] of [
      ['department', 'ไม่มี'],
      ['company', 't:1'],
      ['project', '67999999999'],
    ] as const)
      expect((await call('PATCH', { add: { kind, key } })).statusCode).toBe(404)
    const patchedFollows = await patched({ add: { kind: 'department', key: TOWN, name: 'ชื่ออื่น' } })
    expect(patchedFollows.follows).toEqual([{ kind: 'department', key: TOWN, name: TOWN }])
    expect(followsSchema.parse((await call('GET', undefined, seller)).json()).follows).toEqual([])
    await db.execute(sql`
      insert into follows (user_id, organisation_id, kind, key, name, created_at)
      select id, organisation_id, 'department', n::text, 'x', now() from users, generate_series(2, ${MAX_FOLLOWS}::int) n where email_key = ${BOSS}`)
    expect((await call('PATCH', { add: { kind: 'project', key: P(1) } })).body).toContain('ไม่เกิน 200')
    expect((await call('GET', undefined, await enterDemo(app))).statusCode).toBe(403)
  })
})
