import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { followMailJob } from '#server/jobs/mail/follow-mail-job.ts'
import { matchLoad } from '#server/matching/match-load.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { createOutgoingMail } from '#server/platform/route/outgoing-mail.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { runDue } from '../../../test/jobs.ts'
import { onEachEngine } from '../../../test/server/databases.ts'
import { appOn, type SignedIn, signIn, TEST_SECRET } from '../../../test/server/http-app.ts'
import { queuedMails } from '../../../test/server/mails.ts'
import { addLoad, putProjects, setWords } from '../../../test/world/report-world.ts'
import { tellContractEnds } from './tell-contract-ends.ts'

const BOSS = 'manager@tharamek.example'
const NOW = new Date('2026-11-21T03:00:00Z')
const TODAY = '2026-11-21'

onEachEngine('warnings of contracts that end', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let boss: SignedIn
  let seller: SignedIn
  const mails = createOutgoingMail({ secrets: [TEST_SECRET], baseUrl: () => 'https://tamngan.example' })

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
  /** Projects with one contract each: signing day and end. */
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
    await db.transaction((tx) => matchLoad(tx, load))
    return load
  }
  const tell = async (today = TODAY, { isOfAllDates = true, load = 0 } = {}) => {
    const id = load || (await addLoad(db))
    await db.transaction((tx) => tellContractEnds(tx, id, { today, at: NOW, isOfAllDates }))
  }
  const bell = async (who = boss): Promise<string[]> =>
    (await app.inject({ url: '/api/v2/users/me', headers: who.headers }))
      .json()
      .notification_updated_status.notifications.map(
        ({ type, detail, change_count: count }: { type: string; detail: string; change_count: number }) =>
          `${type} ${count} ${detail}`,
      )
  const mailed = async () => (await queuedMails(db)).filter(({ kind }) => kind === 'follow')
  const work = () =>
    runDue(followMailJob, { db, parts: { reportMail: { mails } }, now: new Date('2026-11-22T01:30:00Z') })

  test('one notification for all of a load, by the days that are left; to everybody of the organisation', async () => {
    await put({
      [P(1)]: ['2025-11-01', '2026-12-10'],
      [P(2)]: ['2025-11-01', '2027-02-19'],
      [P(3)]: ['2025-11-01', '2027-05-20'],
      // Not near yet, over, and signed within the step of its end.
      [P(4)]: ['2025-11-01', '2027-05-21'],
      [P(5)]: ['2025-11-01', '2026-11-20'],
      [P(6)]: ['2026-11-10', '2026-11-30'],
      [P(7)]: ['2026-10-01', '2027-01-30'],
    })
    await tell()
    const said = 'Contract_ends 3 เหลือไม่เกิน 30 วัน 1 ฉบับ · 90 วัน 1 ฉบับ · 180 วัน 1 ฉบับ'
    // The seventh contract lasts 121 days: it counts for the 90-day step, with 70 days left.
    expect(await bell()).toEqual([said.replace('3 เหลือ', '4 เหลือ').replace('90 วัน 1', '90 วัน 2')])
    expect(await bell(seller)).toEqual(await bell())
  })

  test('each contract once for each step, whatever loads follow; a moved end is news', async () => {
    await put({ [P(1)]: ['2025-11-01', '2027-05-01'] })
    await tell()
    await tell()
    await tell('2026-12-01')
    expect(await bell()).toHaveLength(1)
    await tell('2027-02-10')
    await tell('2027-04-10')
    await tell('2027-04-30')
    expect(await bell()).toEqual([30, 90, 180].map((days) => `Contract_ends 1 เหลือไม่เกิน ${days} วัน 1 ฉบับ`))
    await put({ [P(1)]: ['2025-11-01', '2027-09-01'] })
    await tell('2027-04-30')
    expect(await bell()).toHaveLength(4)
  })

  test('another load of the same day looks at what it wrote alone; one that is taken back tells nothing', async () => {
    await put({ [P(1)]: ['2025-11-01', '2027-01-01'] })
    const load = await put({ [P(2)]: ['2025-11-01', '2027-01-02'] })
    await expect(
      db.transaction(async (tx) => {
        await tellContractEnds(tx, load, { today: TODAY, at: NOW, isOfAllDates: true })
        throw new Error('killed')
      }),
    ).rejects.toThrow('killed')
    expect(await bell()).toEqual([])
    await tell(TODAY, { isOfAllDates: false, load })
    expect(await bell()).toEqual([expect.stringContaining('Contract_ends 1 ')])
  })

  test('not of what the user hid, nor in the bell or the mail where it is switched off', async () => {
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
    await tell()
    expect(await bell()).toEqual([expect.stringContaining('Contract_ends 1 ')])
    expect(await bell(seller)).toEqual([])
    await work()
    expect((await mailed()).map(({ to }) => to)).not.toContain('sales@tharamek.example')
    expect((await mailed()).map(({ to }) => to)).toContain(BOSS)
  })

  test('the mail of the next morning names them once, the first end first', async () => {
    await put({ [P(1)]: ['2025-11-01', '2027-01-05'], [P(2)]: ['2025-11-01', '2026-12-31'] })
    await tell()
    await work()
    const [mail] = (await mailed()).filter(({ to }) => to === BOSS)
    expect(mail!.subject).toBe('สัญญาใกล้หมด 2 ฉบับ')
    const places = ['31 ธ.ค. 2569', '5 ม.ค. 2570'].map((day) => mail!.text.indexOf(day))
    expect(places[0]).toBeGreaterThan(0)
    expect(places[1]).toBeGreaterThan(places[0]!)
    expect(mail!.text).toContain('ผู้ชนะ บริษัท ก จำกัด · 1.50 ล้าน บาท')
    expect(mail!.text).toContain('https://tamngan.example/report?view=contract_ends&ends_within=180')
    const before = (await mailed()).length
    await tell()
    await work()
    expect(await mailed()).toHaveLength(before)
  })
})
