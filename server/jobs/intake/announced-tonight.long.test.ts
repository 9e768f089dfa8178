import { tmpdir } from 'node:os'
import sql from 'sql-template-tag'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import { createNextDemoDataLoadStep } from '#sample/sample-days.ts'
import { writeTemporaryTestFile } from '#server/catalogue/feed/feed-for-tests.ts'
import type { FeedRecord, FeedSource } from '#server/catalogue/feed/feed-source.ts'
import { runDueNightlyLoad } from '#server/jobs/load/nightly-load.ts'
import { getNightlyRunDate, runDataLoad, withDataLoadLease } from '#server/jobs/load/run-load.ts'
import { mailJob } from '#server/jobs/mail/mail-job.ts'
import type { Db, OpenDb } from '#server/platform/engine/db.ts'
import { createMailCipher } from '#server/platform/mail/mail-cipher.ts'
import { createSmtpTransport } from '#server/platform/mail/smtp-transport.ts'
import { openReportMemory } from '#server/report/report-engine.ts'
import { loadReportPage } from '#server/report/sql/sql-report-engine.ts'
import { runDue } from '../../../test/jobs.ts'
import { onEachEngine } from '../../../test/server/databases.ts'
import { emptyTables } from '../../../test/server/empty-tables.ts'
import { TEST_SECRET } from '../../../test/server/http-app.ts'
import { startSmtpServer, type TestSmtp } from '../../../test/server/smtp-server.ts'
import { makeIntakeWorld } from '../../../test/world/intake-world.ts'
import { starProjects } from '../../../test/world/notification-world.ts'
import { addReader, buildDueReportMails, listProjectIdsUnder, publish } from '../../../test/world/report-mail-world.ts'
import { addOrganisation } from '../../../test/world/report-world.ts'
import { importDataFile } from './import-data-file.ts'
import { intakeJob } from './intake-job.ts'

/** The evening of a Monday. */
const EVENING = '2026-11-23T17:31:00+07:00'
const TODAY = '2026-11-24'
const AGENCIES = Array.from({ length: 24 }, (_, n) => String(1000 + n))
const STARRED = { id: '69109000001', name: 'ประกวดราคาซื้อกล้องที่ติดดาว', movement: 'draft', movementOn: '2026-11-20' }

onEachEngine('a night of the feed', (makeDb) => {
  let db: OpenDb
  let smtp: TestSmtp
  let world: Awaited<ReturnType<typeof makeIntakeWorld>>
  let organisation: number
  let user: number

  beforeAll(async () => {
    db = await makeDb()
  })
  beforeEach(async () => {
    await emptyTables(db, 'organisations', 'mails', 'report_mails', 'project_matches', 'notifications')
    world = await makeIntakeWorld(db, { at: EVENING, agencies: AGENCIES })
    smtp = await startSmtpServer()
    organisation = await addOrganisation(db)
    user = await addReader(db, organisation, 'a@x.example')
    await publish(db, [], { now: world.clock.now() })
    await publish(db, [STARRED], { now: world.clock.now() })
    await emptyTables(db, 'report_mails', 'jobs')
    await db.execute(sql`insert into jobs (kind, key, payload, requested_at, run_at)
      values ('intake', 'egp-rss', '{"source":"egp-rss"}', ${EVENING}::timestamptz, ${EVENING}::timestamptz)`)
    await starProjects(db, user, STARRED.id)
  })
  afterEach(async () => {
    await world.server.close()
    await smtp.close()
  })

  async function deliver(): Promise<void> {
    const now = world.clock.now()
    await buildDueReportMails(db, now)
    const transport = createSmtpTransport({ url: smtp.url, from: 'x@tamngan.example' })
    await runDue(mailJob, { db, parts: { delivery: { seal: createMailCipher([TEST_SECRET]), transport } }, now })
    transport.close()
  }
  async function live(until: string, beforeSleep: () => Promise<void> = async () => undefined): Promise<void> {
    const { clock, parts } = world
    const sleep = async (ms: number, signal: AbortSignal) => {
      await beforeSleep()
      await clock.sleep(ms, signal)
    }
    const intake = { ...parts.intake, clock: { elapsed: clock.elapsed, sleep } }
    for (;;) {
      const [job] = await db.query<{ at: string }>(
        sql`select run_at as at from jobs where kind = 'intake' and state = 'waiting'`,
      )
      if (!job || new Date(job.at) > new Date(until)) break
      clock.passUntil(new Date(job.at))
      await runDue(intakeJob, { db, now: clock.now, parts: { intake } })
    }
    clock.passUntil(new Date(until))
    await beforeSleep()
  }
  const at = (time: string) => new Date(`2026-11-${time}:00+07:00`)
  const scope = () => ({ organisationId: organisation, userId: user, today: TODAY, visit: undefined })
  const newOnes = async () =>
    inOrder(
      (await loadReportPage(db, { project_change_status__in: { values: ['new'], negated: false } }, scope())).rows.map(
        ({ project_id: id }) => id,
      ),
    )
  const bell = () => db.query<{ project_id: string }>(sql`select project_id from notifications where type = 'Updated'`)
  const nightLoads = () => db.query<{ id: number }>(sql`select id from loads where night = '2026-11-23' order by id`)

  test('updates report, bell and mail within a minute, once each, and mails the rest in the morning', async () => {
    for (const agency of AGENCIES) world.publish(1, { agency, at: at('23T11:00') })
    world.feed.publish({ ...announced('D0'), agency: AGENCIES[7]!, at: at('23T11:00') })
    const seen = new Map<string, number>()
    const note = (what: string) => void seen.set(what, seen.get(what) ?? world.clock.now().getTime())
    let loads = 0
    await live('2026-11-24T08:00:00+07:00', async () => {
      const now = (await nightLoads()).length
      if (now === loads) return
      loads = now
      await deliver()
      if ((await bell()).length > 0) note('bell')
      if (smtp.received.length > 0) note('mail')
      for (const id of await newOnes()) note(id)
    })
    const arrived = await db.query<{ id: string; at: string }>(
      sql`select project_id as id, first_seen_at as at from intake_announcements order by first_seen_at`,
    )
    expect(arrived).toHaveLength(25)
    const seconds = (what: string, since: string) => (seen.get(what)! - new Date(since).getTime()) / 1000
    for (const { id, at: since } of arrived)
      expect(seconds(id === STARRED.id ? 'bell' : id, since), id).toBeLessThanOrEqual(60)
    expect(seconds('mail', arrived[0]!.at)).toBeLessThanOrEqual(60)
    expect((await nightLoads()).length).toBeGreaterThan(2)
    expect(smtp.received).toHaveLength(1)
    const ids = inOrder(arrived.map(({ id }) => id))
    expect(await newOnes()).toEqual(ids.filter((id) => id !== STARRED.id))
    await live('2026-11-24T08:31:00+07:00', deliver)
    await live('2026-11-24T12:01:00+07:00', deliver)
    const notifiedIds = smtp.received.map(({ parsed }) => listProjectIdsUnder({ text: parsed.text! }))
    expect(notifiedIds).toHaveLength(2)
    expect(inOrder(notifiedIds.flat())).toEqual(ids)
    expect(await bell()).toEqual([{ project_id: STARRED.id }])
    expect(await db.query(sql`select from intake_announcements where applied_at is null`)).toEqual([])
    expect(await db.query(sql`select from loads where state = 'published' and traits_version = 0`)).toEqual([])
    // On the next evening the New filter starts empty again.
    world.publish(1, { at: at('24T11:00') })
    await live('2026-11-25T08:00:00+07:00')
    expect(await newOnes()).toEqual(['69119000025'])
  }, 120_000)

  test('is added to the report cache load by load, including projects that a later load rewrites', async () => {
    const names: (string | undefined)[] = []
    const counted: Db = {
      ...db,
      query: (statement, options) => {
        names.push(options?.name)
        return db.query(statement, options)
      },
    }
    const memory = openReportMemory(counted, { megabytes: 1_000 })
    await memory.load()
    const full = () => names.filter((name) => name === 'projects_page').length
    expect(full()).toBe(1)
    for (const agency of AGENCIES) {
      world.publish(1, { agency, at: at('23T11:00') })
      world.feed.publish({ ...announced('D0'), agency, at: at('23T11:00') })
      world.feed.publish({ ...announced('W0'), agency, at: at('23T12:00') })
    }
    await live('2026-11-24T09:00:00+07:00')
    const loads = (await nightLoads()).length
    expect(loads).toBeGreaterThan(3)
    await memory.load()
    expect(full()).toBe(1)
    expect(names.filter((name) => name === 'projects_page_of_load').length).toBeLessThanOrEqual(loads)
    expect(memory.stats().projects).toBe(25)
    await memory.close()
  }, 120_000)

  test('is not ended by the file of a past year, which adds and sends nothing; current files join it', async () => {
    world.publish(3, { at: at('23T11:00') })
    await live('2026-11-24T08:00:00+07:00', deliver)
    const tonight = await newOnes()
    expect(tonight).toHaveLength(3)
    const take = (fingerprint: string, ...records: FeedRecord[]) =>
      withDataLoadLease(db, (lease) =>
        runDataLoad(db, lease, sourceOf(records), {
          ...{ origin: fingerprint, fingerprint, today: TODAY, night: '2026-11-23', now: world.clock.now },
        }),
      )
    const tender = (projectId: string, on: string): FeedRecord => ({
      ...{
        projectId,
        name: 'ประกวดราคาซื้อกล้องสำรวจ',
        deptName: 'เทศบาลเมืองตัวอย่าง',
        method: 'e_bidding',
        methodType: 'buy',
      },
      ...{ biddingInvitedOn: on, announcements: [{ movement: 'invited', announcedOn: on }] },
    })
    await take('2567', tender('66119000001', '2023-11-20'), tender('66119000002', '2023-12-20'))
    expect(await newOnes()).toEqual(tonight)
    expect(await db.query(sql`select is_history, night from loads where origin = '2567'`)).toEqual([
      { is_history: true, night: null },
    ])
    await live('2026-11-24T08:31:00+07:00', deliver)
    expect(inOrder(smtp.received.flatMap(({ parsed }) => listProjectIdsUnder({ text: parsed.text! })))).toEqual(tonight)
    await take('today', tender('69119900001', '2026-11-23'))
    expect(await newOnes()).toEqual([...tonight, '69119900001'])
  }, 120_000)

  test('is not ended by the load of 01:00, which derives the day for all projects; no second mail', async () => {
    world.publish(3, { at: at('23T11:00') })
    await live('2026-11-24T00:50:00+07:00', deliver)
    const tonight = await newOnes()
    expect([tonight.length, smtp.received.length]).toEqual([3, 1])
    world.clock.passUntil(new Date('2026-11-24T01:00:00+07:00'))
    await runDueNightlyLoad(db, { now: world.clock.now, nextDemoStep: createNextDemoDataLoadStep })
    await deliver()
    expect(await db.query(sql`select night, day, is_history from loads where source = 'nightly'`)).toEqual([
      { night: '2026-11-23', day: '2026-11-24', is_history: false },
    ])
    expect(await newOnes()).toEqual(tonight)
    expect(smtp.received).toHaveLength(1)
    // On the following evening the New filter starts empty even though nothing arrived.
    world.clock.passUntil(new Date('2026-11-25T01:00:00+07:00'))
    await runDueNightlyLoad(db, { now: world.clock.now, nextDemoStep: createNextDemoDataLoadStep })
    expect(await newOnes()).toEqual([])
  }, 120_000)

  test('includes command-line imports; an old year there is history too', async () => {
    world.publish(2, { at: at('23T11:00') })
    await live('2026-11-24T00:50:00+07:00')
    const tonight = await newOnes()
    const header = 'project_id,project_name,dept_name,announce_date'
    const [folder, today, night] = [tmpdir(), getBangkokToday(new Date()), getNightlyRunDate(new Date())]
    // The command line always uses the real clock.
    await db.execute(sql`update loads set night = ${night}::date where night is not null`)
    const take = async (name: string, id: string, on: string) => {
      const file = writeTemporaryTestFile(name, `${header}\n${id},ประกวดราคาซื้อกล้องสำรวจ,เทศบาลเมืองตัวอย่าง,${on}\n`)
      return await importDataFile(db, { file }, { dataDir: folder })
    }
    expect(await take('2567.csv', '66119000001', '2023-11-20')).toMatchObject({ newProjects: 1 })
    expect(await newOnes()).toEqual(tonight)
    await take('2570.csv', '69119900001', today)
    expect(await newOnes()).toEqual([...tonight, '69119900001'])
  }, 120_000)
})

const inOrder = (ids: readonly string[]) => ids.toSorted((a, b) => (a < b ? -1 : 1))
const announced = (type: string) => ({ type, projectId: STARRED.id, title: STARRED.name })

const sourceOf = (records: readonly FeedRecord[]): FeedSource => ({
  name: 'cgd-csv',
  async *records(after) {
    for (const [at, record] of records.entries()) if (at + 1 > after) yield { line: at + 1, record }
  },
})
