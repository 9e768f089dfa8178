import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { DEMO_ORGANISATION_CODE } from '#contract/reserved-organisations.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { runDue } from '../../../test/jobs.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { emptyTables } from '../../../test/server/empty-tables.ts'
import { appOn } from '../../../test/server/http-app.ts'
import { queuedMails } from '../../../test/server/mails.ts'
import { emptyReportTables, publish, reportMailDependencies } from '../../../test/world/report-mail-world.ts'
import { addOrganisation, addUser } from '../../../test/world/report-world.ts'
import { coverageMailJob, scheduleCoverageMail } from './coverage-mail-job.ts'

const NOW = new Date('2026-11-21T03:00:00Z')
const THIRD = new Date('2026-12-03T08:30:00+07:00')
const NEXT_THIRD = new Date('2027-01-03T08:30:00+07:00')
const AGENCY = '0304'

onEachEngineInTurn('the monthly mail about coverage', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let organisationId: number
  let superUserId: number

  beforeAll(async () => {
    db = await makeDb()
    app = await appOn(db, { now: () => THIRD })
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    await emptyReportTables(db, 'organisations', 'intake_agencies', 'intake_announcements', 'intake_sources')
    await emptyTables(db, 'coverage_counts', 'coverage_days')
    organisationId = await addOrganisation(db)
    superUserId = await addSuperUser(organisationId)
    await publish(db, [{ id: '69119000001', name: 'ซื้อกล้องวงจรปิด' }], { now: NOW })
    await db.execute(sql`delete from jobs`)
  })

  async function addSuperUser(organisation: number, email?: string): Promise<number> {
    const id = await addUser(db, organisation)
    await db.execute(sql`
      update users set role = 'super_user', email = coalesce(${email ?? null}, email), email_key = coalesce(${email ?? null}, email_key) where id = ${id}::int`)
    return id
  }
  /** November: 2,999 of 3,000 invitations that the feed counted arrived in time, on a month with one failed night. */
  async function fetchNovember(): Promise<void> {
    await db.execute(
      sql`insert into intake_sources (source, is_on, address, opens_at, closes_at, pace_ms) values ('egp-rss', true, 'x', '17:30', '08:30', 4000)`,
    )
    await db.execute(sql`
      insert into intake_nights (source, night, begun_at, outcome)
      select 'egp-rss', d, d, case when d = '2026-11-12' then 'refused' else 'complete' end
      from (select generate_series(date '2026-11-01', '2026-12-02', interval '1 day')::date as d) n`)
    await db.execute(sql`insert into intake_agencies (code, name, name_key) values (${AGENCY}, 'กรม', 'กรม')`)
    await db.execute(sql`
      insert into intake_queries (agency, type, due, asked_at) values (${AGENCY}, 'D0', '2026-12-03', '2026-12-02T17:40:00+07:00')`)
    await db.execute(sql`insert into coverage_days values ('2026-11-01', '{}')`)
    await db.execute(sql`
      insert into coverage_counts (day, agency, counted, kind, listed, had, by_first_morning, by_second_morning)
      values ('2026-11-01', ${AGENCY}, 3000, 'other', 3000, 3000, 2999, 3000)`)
  }
  const runAt = async (at: Date) => {
    await db.transaction((tx) => scheduleCoverageMail(tx, new Date(at.getTime() - 60_000)))
    await runDue(coverageMailJob, { db, now: at, parts: { reportMail: reportMailDependencies } })
  }
  const mails = async () => (await queuedMails(db)).filter(({ kind }) => kind === 'coverage')

  test('states last month in three lines, rounds no share up, and comes again next month', async () => {
    await fetchNovember()
    await runAt(THIRD)
    const [mail, ...others] = await mails()
    expect(others).toEqual([])
    expect(mail!.subject).toBe('ความครบถ้วนของประกาศ พ.ย. 2569: มีก่อน 08:30 น. 99.9%')
    expect(mail!.text).toContain('ต้นทางนับ 3,000 ประกาศเชิญชวน มีในระบบ 3,000 ครบ')
    expect(mail!.text).toContain('มีก่อน 08:30 น. ของเช้าแรก 2,999 (99.9%) ก่อนเช้าที่สอง 3,000 (100.0%)')
    expect(mail!.text).toContain('ดึง 30 คืน ไม่สำเร็จ 1 คืน')
    expect(mail!.text).toContain('/coverage')
    expect(await db.query(sql`select run_at from jobs where kind = 'coverage-mail' and state = 'waiting'`)).toEqual([
      { run_at: expect.stringMatching(/^2027-01-03/) },
    ])
    await runDue(coverageMailJob, { db, now: NEXT_THIRD, parts: { reportMail: reportMailDependencies } })
    expect((await mails()).map(({ subject }) => subject)[1]).toContain('ธ.ค. 2569')
  })

  test('goes to super users who want it, of customers with projects', async () => {
    await fetchNovember()
    await addUser(db, organisationId)
    await addSuperUser(await addOrganisation(db, { words: { include: ['ไม่มีโครงการใดชื่อนี้'] } }))
    const demo = await addSuperUser(organisationId, 'demo@x.example')
    await db.execute(sql`update users set is_demo_visitor = true where id = ${demo}::int`)
    const off = await addSuperUser(organisationId, 'off@x.example')
    await db.execute(sql`update users set is_send_coverage_email = false where id = ${off}::int`)
    const left = await addSuperUser(organisationId, 'left@x.example')
    await db.execute(sql`update users set is_disabled = true where id = ${left}::int`)
    await runAt(THIRD)
    const [me] = await db.query<{ email: string }>(sql`select email from users where id = ${superUserId}::int`)
    expect((await mails()).map(({ to }) => to)).toEqual([me!.email])
    await db.execute(sql`update organisations set code = ${DEMO_ORGANISATION_CODE} where id = ${organisationId}::int`)
    await db.execute(sql`delete from mails`)
    await db.execute(sql`delete from jobs`)
    await runAt(THIRD)
    expect(await mails()).toEqual([])
  })

  test('sends nothing about a month in which the feed never ran', async () => {
    await runAt(THIRD)
    expect(await mails()).toEqual([])
    expect(await db.query(sql`select from jobs where kind = 'coverage-mail' and state = 'waiting'`)).toHaveLength(1)
  })

  test('RFC 8058: its address unsubscribes with one POST; opening it changes nothing', async () => {
    await fetchNovember()
    await runAt(THIRD)
    const path = new URL((await mails())[0]!.unsubscribeUrl!).pathname
    const wants = async () =>
      (
        await db.query<{ on: boolean }>(
          sql`select is_send_coverage_email as on from users where id = ${superUserId}::int`,
        )
      )[0]!.on
    expect((await app.inject({ url: path })).statusCode).toBe(303)
    expect(await wants()).toBe(true)
    expect((await app.inject({ method: 'POST', url: path })).statusCode).toBe(204)
    expect(await wants()).toBe(false)
  })
})
