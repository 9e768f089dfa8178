import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { followUpdateMailJob } from '#server/jobs/mail/follow-mail-job.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { createOutgoingMailQueue } from '#server/platform/route/outgoing-mail.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { runDue } from '../../../test/jobs.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { appOn, type SignedIn, signIn, TEST_SECRET } from '../../../test/server/http-app.ts'
import { queuedMails } from '../../../test/server/mails.ts'
import { addLoad, putProjects, setWords } from '../../../test/world/report-world.ts'
import { notifyContractEnds } from './notify-contract-ends.ts'

const BOSS = 'manager@tharamek.example'
const NOW = new Date('2026-11-21T03:00:00Z')
const TODAY = '2026-11-21'

onEachEngineInTurn('warnings about ending contracts', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let boss: SignedIn
  let seller: SignedIn
  const mails = createOutgoingMailQueue({ secrets: [TEST_SECRET], baseUrl: () => 'https://tamngan.example' })

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, TODAY)
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
      'contract_end_news',
      'follow_settings',
      'notifications',
      'mails',
      'jobs',
      'hidden_projects',
      'contracts',
      'project_matches',
      'projects',
    ])
      await db.script(`delete from ${table}`)
  })

  const P = (n: number) => `6711000000${n}`
  const put = async (contracts: Readonly<Record<string, readonly [signed: string | null, ends: string]>>) => {
    const load = await addLoad(db)
    await putProjects(
      db,
      load,
      Object.keys(contracts).map((id) => ({
        id,
        name: 'เช่ากล้องวงจรปิด',
        winning: 150_000_000,
        isArchived: true,
        status: 'contract_created',
      })),
    )
    for (const [id, [signed, ends]] of Object.entries(contracts))
      await db.execute(sql`
        insert into contracts (project_id, contract_no, signed_on, ends_on, winner_name, amount_satang)
        values (${id}, '1', ${signed}::date, ${ends}::date, 'บริษัท ก จำกัด', null)
        on conflict (project_id, contract_no) do update set signed_on = excluded.signed_on, ends_on = excluded.ends_on`)
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
    return load
  }
  const notify = async (today = TODAY, { isOfAllDates = true, load = 0 } = {}) => {
    const id = load || (await addLoad(db))
    await db.transaction((tx) => notifyContractEnds(tx, id, { today, at: NOW, isOfAllDates }))
  }
  const bell = async (user = boss): Promise<string[]> =>
    (await app.inject({ url: '/api/v2/users/me', headers: user.headers }))
      .json()
      .notification_updated_status.notifications.map(
        ({ type, detail, change_count: count }: { type: string; detail: string; change_count: number }) =>
          `${type} ${count} ${detail}`,
      )
  const mailed = async () => (await queuedMails(db)).filter(({ kind }) => kind === 'follow')
  const work = () =>
    runDue(followUpdateMailJob, { db, parts: { reportMail: { mails } }, now: new Date('2026-11-22T01:30:00Z') })

  test('sends one notification per load, grouped by days left, to every user of the organisation', async () => {
    await put({
      [P(1)]: ['2025-11-01', '2026-12-10'],
      [P(2)]: ['2025-11-01', '2027-02-19'],
      [P(3)]: ['2025-11-01', '2027-05-20'],
      // The next three contracts are not reported: one is not due yet, one is over, one was signed too shortly before
      // its end.
      [P(4)]: ['2025-11-01', '2027-05-21'],
      [P(5)]: ['2025-11-01', '2026-11-20'],
      [P(6)]: ['2026-11-10', '2026-11-30'],
      [P(7)]: ['2026-10-01', '2027-01-30'],
    })
    await notify()
    const summary = 'Contract_ends 3 เหลือไม่เกิน 30 วัน 1 ฉบับ · 90 วัน 1 ฉบับ · 180 วัน 1 ฉบับ'
    // The seventh contract lasts 121 days, so it skips the 180-day step. With 70 days left it counts for the 90-day
    // step.
    expect(await bell()).toEqual([summary.replace('3 เหลือ', '4 เหลือ').replace('90 วัน 1', '90 วัน 2')])
    expect(await bell(seller)).toEqual(await bell())
  })

  test('warns once per contract and step across loads; a moved end warns again', async () => {
    await put({ [P(1)]: ['2025-11-01', '2027-05-01'] })
    await notify()
    await notify()
    await notify('2026-12-01')
    expect(await bell()).toHaveLength(1)
    await notify('2027-02-10')
    await notify('2027-04-10')
    await notify('2027-04-30')
    expect(await bell()).toEqual([30, 90, 180].map((days) => `Contract_ends 1 เหลือไม่เกิน ${days} วัน 1 ฉบับ`))
    await put({ [P(1)]: ['2025-11-01', '2027-09-01'] })
    await notify('2027-04-30')
    expect(await bell()).toHaveLength(4)
  })

  test('a second load of the day checks only what it wrote; a rolled-back one sends nothing', async () => {
    await put({ [P(1)]: ['2025-11-01', '2027-01-01'] })
    const load = await put({ [P(2)]: ['2025-11-01', '2027-01-02'] })
    await expect(
      db.transaction(async (tx) => {
        await notifyContractEnds(tx, load, { today: TODAY, at: NOW, isOfAllDates: true })
        throw new Error('killed')
      }),
    ).rejects.toThrow('killed')
    expect(await bell()).toEqual([])
    await notify(TODAY, { isOfAllDates: false, load })
    expect(await bell()).toEqual([expect.stringContaining('Contract_ends 1 ')])
  })

  test('skips hidden projects, and bell or mail where switched off', async () => {
    const [{ id: bossId } = { id: 0 }] = await db.query<{ id: number }>(
      sql`select id from users where email_key = ${BOSS}`,
    )
    await put({ [P(1)]: ['2025-11-01', '2027-01-01'], [P(2)]: ['2025-11-01', '2027-01-02'] })
    await db.execute(sql`insert into hidden_projects (user_id, project_id) values (${bossId}::int, ${P(2)})`)
    const change = await app.inject({
      method: 'PATCH',
      url: '/api/v2/users/me/follows',
      headers: seller.headers,
      payload: { bell: ['department'], mail: ['department'] },
    })
    expect(change.statusCode).toBe(200)
    await notify()
    expect(await bell()).toEqual([expect.stringContaining('Contract_ends 1 ')])
    expect(await bell(seller)).toEqual([])
    await work()
    expect((await mailed()).map(({ to }) => to)).not.toContain('sales@tharamek.example')
    expect((await mailed()).map(({ to }) => to)).toContain(BOSS)
  })

  test('the next morning’s mail lists them once, earliest end first', async () => {
    await put({ [P(1)]: ['2025-11-01', '2027-01-05'], [P(2)]: ['2025-11-01', '2026-12-31'] })
    await notify()
    await work()
    const [mail] = (await mailed()).filter(({ to }) => to === BOSS)
    expect(mail!.subject).toBe('สัญญาใกล้หมด 2 ฉบับ')
    const offsets = ['31 ธ.ค. 2569', '5 ม.ค. 2570'].map((day) => mail!.text.indexOf(day))
    expect(offsets[0]).toBeGreaterThan(0)
    expect(offsets[1]).toBeGreaterThan(offsets[0]!)
    expect(mail!.text).toContain('ผู้ชนะ บริษัท ก จำกัด · 1.50 ล้าน บาท')
    expect(mail!.text).toContain('https://tamngan.example/report?view=contract_ends&ends_within=180')
    const before = (await mailed()).length
    await notify()
    await work()
    expect(await mailed()).toHaveLength(before)
  })
})
