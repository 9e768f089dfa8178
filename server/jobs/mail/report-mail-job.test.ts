import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { DEMO_ORGANISATION_CODE } from '#contract/reserved-organisations.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { createMailCipher } from '#server/platform/mail/mail-cipher.ts'
import { createSmtpTransport, type MailTransport } from '#server/platform/mail/smtp-transport.ts'
import { restartJob } from '#server/platform/queue/restart-job.ts'
import { runDue } from '../../../test/jobs.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { TEST_SECRET } from '../../../test/server/http-app.ts'
import { type SmtpMood, startSmtpServer, type TestSmtp } from '../../../test/server/smtp-server.ts'
import {
  addReader,
  buildDueReportMails,
  emptyReportTables,
  listProjectIdsUnder,
  listReportMails,
  publish,
  reportMailDependencies,
} from '../../../test/world/report-mail-world.ts'
import { addOrganisation } from '../../../test/world/report-world.ts'
import { RESTARTABLE_JOB_KINDS } from '../job-kinds.ts'
import { type MailDeliveryDependencies, mailJob } from './mail-job.ts'

/** 10:00 in Bangkok. */
const NOW = new Date('2026-11-21T03:00:00Z')
const at = (bangkok: string) => new Date(`2026-11-${bangkok}+07:00`)
const CAMERA = { id: '69119000001', name: 'ซื้อกล้องวงจรปิด' }
const second = { id: '69119000002', name: 'ซื้อกล้องสำรวจ' }
const HISTORY = [{ id: '68000000001', name: 'ซื้อกล้องเก่า', isArchived: true }]

onEachEngineInTurn('report mails', (makeDb) => {
  let db: OpenDb
  let organisation: number

  beforeAll(async () => {
    db = await makeDb()
  })
  beforeEach(async () => {
    await emptyReportTables(db, 'organisations')
    organisation = await addOrganisation(db)
  })
  const history = () => publish(db, HISTORY, { now: NOW })
  const rows = () =>
    db.query<{ user_id: number; load_id: number; state: string; attempts: number }>(
      sql`
        select r.user_id, r.load_id, r.state, j.attempts from report_mails r
        join jobs j on j.kind = 'report_mail' and j.key = r.user_id::text and j.payload -> 'loads' @> to_jsonb(r.load_id)
        order by r.load_id, r.user_id`,
    )
  const addresses = async () => (await listReportMails(db)).map(({ to }) => to).toSorted((a, b) => (a < b ? -1 : 1))

  test('the first load of a database is history and sends no mail; the next one sends one', async () => {
    await addReader(db, organisation, 'a@x.example')
    await history()
    expect(await rows()).toEqual([])
    await publish(db, [CAMERA], { now: NOW })
    expect(await buildDueReportMails(db, NOW)).toBe(1)
    expect(await buildDueReportMails(db, NOW)).toBe(0)
    const [mail, ...moreMails] = await listReportMails(db)
    expect(moreMails).toEqual([])
    expect(mail).toMatchObject({ to: 'a@x.example', subject: 'ใหม่ 1 – รายงานทั้งหมด' })
    expect(listProjectIdsUnder(mail!, 'ใหม่')).toEqual([CAMERA.id])
  })

  test('mails users who want it, in organisations that may read the report', async () => {
    await history()
    const open = { words: { include: ['กล้อง'] } }
    const of = async (code: string, set: ReturnType<typeof sql>) => {
      const id = await addOrganisation(db, { ...open, code })
      await db.execute(sql`update organisations set ${set} where id = ${id}::int`)
      await addReader(db, id, `${code}@x.example`)
    }
    await addReader(db, organisation, 'wants@x.example')
    await addReader(db, organisation, 'off@x.example', { is_send_report_email: false })
    await addReader(db, organisation, 'disabled@x.example', { is_disabled: true })
    await addReader(db, organisation, 'visitor@x.example', { is_demo_visitor: true })
    await of('closed', sql`is_disabled = true`)
    await of('budget', sql`is_access_budget_year_only = true`)
    await of('unready', sql`is_watchlist_completed = false`)
    await of(DEMO_ORGANISATION_CODE, sql`package = 'demo'`)
    await of('other', sql`package = 'trial'`)
    await publish(db, [CAMERA], { now: NOW })
    await buildDueReportMails(db, NOW)
    expect(await addresses()).toEqual(['other@x.example', 'wants@x.example'])
  })

  test('skips users who unsubscribe or are closed between the load and the mail', async () => {
    await history()
    await addReader(db, organisation, 'off@x.example')
    await addReader(db, organisation, 'gone@x.example')
    await publish(db, [CAMERA], { now: NOW })
    await db.execute(sql`update users set is_send_report_email = false where email = 'off@x.example'`)
    await db.execute(sql`delete from users where email = 'gone@x.example'`)
    await buildDueReportMails(db, NOW)
    expect(await addresses()).toEqual([])
    expect((await rows()).map(({ state }) => state)).toEqual(['unwanted'])
  })

  test('sends no mail without news, and news outside the lists do not count', async () => {
    await history()
    await addReader(db, organisation, 'a@x.example')
    await publish(db, [{ id: '69119000009', name: 'ซื้อโต๊ะ' }], { now: NOW })
    await buildDueReportMails(db, NOW)
    expect(await addresses()).toEqual([])
    expect((await rows()).map(({ state }) => state)).toEqual(['empty'])
  })

  test('C12: sends loads of the not-allowed window as one mail when it ends, also across midnight', async () => {
    const night = { not_allow_start_time: '22:00:00', not_allow_end_time: '09:00:00' }
    const closed = await addOrganisation(db, { words: { include: ['กล้อง'] }, config: night })
    await addReader(db, closed, 'night@x.example')
    await addReader(db, organisation, 'open@x.example')
    await history()
    await publish(db, [CAMERA], { now: at('20T23:30:00') })
    await buildDueReportMails(db, at('20T23:30:00'))
    expect(await addresses()).toEqual(['open@x.example'])
    await publish(db, [second], { now: at('21T02:00:00') })
    expect(await buildDueReportMails(db, at('21T08:59:59'))).toBe(1)
    expect(await addresses()).toEqual(['open@x.example', 'open@x.example'])
    expect(await buildDueReportMails(db, at('21T09:00:00'))).toBe(1)
    const mail = (await listReportMails(db)).find(({ to }) => to === 'night@x.example')!
    expect(new Set(listProjectIdsUnder(mail, 'ใหม่'))).toEqual(new Set([CAMERA.id, second.id]))
    expect(await buildDueReportMails(db, at('21T12:00:00'))).toBe(0)
  })

  test('C12: a mail due before the window but processed within it waits for its end', async () => {
    const config = { not_allow_start_time: '01:00:00', not_allow_end_time: '09:00:00' }
    const closed = await addOrganisation(db, { words: { include: ['กล้อง'] }, config })
    await addReader(db, closed, 'late@x.example')
    await history()
    await publish(db, [CAMERA], { now: at('21T00:59:59') })
    await buildDueReportMails(db, at('21T01:00:00'))
    expect(await addresses()).toEqual([])
    await buildDueReportMails(db, at('21T09:00:00'))
    expect(await addresses()).toEqual(['late@x.example'])
  })

  test('R52: two concurrent workers send one mail per user', async () => {
    await history()
    for (let i = 0; i < 12; i += 1) await addReader(db, organisation, `u${i}@x.example`)
    await publish(db, [CAMERA], { now: NOW })
    await publish(db, [second], { now: NOW })
    const tried = await Promise.all([
      buildDueReportMails(db, NOW),
      buildDueReportMails(db, NOW),
      buildDueReportMails(db, NOW),
    ])
    expect(tried.reduce((sum, n) => sum + n, 0)).toBe(12)
    expect(new Set(await addresses()).size).toBe(12)
    expect(await addresses()).toHaveLength(12)
    expect((await rows()).every(({ state, attempts }) => state === 'queued' && attempts === 1)).toBe(true)
  })

  test('R52: another worker takes over after the lease, and the dead worker can no longer send', async () => {
    await history()
    await addReader(db, organisation, 'a@x.example')
    await publish(db, [CAMERA], { now: NOW })
    const later = new Date(NOW.getTime() + 61_000)
    // The clock of the first worker is stopped while it composes the email; meanwhile its lease expires.
    let calls = 0
    await buildDueReportMails(db, NOW, {
      now() {
        calls += 1
        return NOW
      },
      parts: {
        ...reportMailDependencies,
        reader: {
          ...reportMailDependencies.reader,
          async previousVisit() {
            expect(await buildDueReportMails(db, new Date(NOW.getTime() + 59_000))).toBe(0)
            expect(await buildDueReportMails(db, later)).toBe(1)
            return undefined
          },
        },
      },
    })
    expect(calls).toBeGreaterThan(0)
    expect(await addresses()).toEqual(['a@x.example'])
    expect((await rows()).map(({ state, attempts }) => [state, attempts])).toEqual([['queued', 2]])
  })

  test('R52: retries failures later and gives up after ten attempts', async () => {
    await history()
    await addReader(db, organisation, 'a@x.example')
    await publish(db, [CAMERA], { now: NOW })
    const broken = {
      ...reportMailDependencies,
      reader: {
        ...reportMailDependencies.reader,
        loadRowsOf: async () => Promise.reject(new Error('secret of a@x.example')),
      },
    }
    let clock = NOW
    await buildDueReportMails(db, clock, { parts: broken })
    expect((await rows()).map(({ state }) => state)).toEqual(['waiting'])
    expect(await buildDueReportMails(db, clock)).toBe(0)
    for (let i = 0; i < 12; i += 1) {
      clock = new Date(clock.getTime() + 3_600_000)
      await buildDueReportMails(db, clock, { parts: broken })
    }
    const [row] = await db.query<{ state: string; attempts: number; failure: string }>(
      sql`
        select r.state, j.attempts, j.last_error as failure from report_mails r join jobs j on j.kind = 'report_mail'`,
    )
    expect(row).toEqual({ state: 'failed', attempts: 10, failure: 'Error' })
    const [dead] = await db.query<{ id: number }>(sql`select id::int from jobs where kind = 'report_mail'`)
    await restartJob(db, dead!.id, RESTARTABLE_JOB_KINDS, clock)
    expect(await buildDueReportMails(db, clock)).toBe(1)
    expect((await rows()).map(({ state }) => state)).toEqual(['queued'])
    expect(await restartJob(db, dead!.id, RESTARTABLE_JOB_KINDS, clock)).toBeUndefined()
  })

  test('a second load of the day sends its news without repeating deadlines; the next day repeats them', async () => {
    await addReader(db, organisation, 'a@x.example')
    await history()
    const due = { submissionEndsOn: '2026-11-25' }
    await publish(db, [{ ...CAMERA, ...due }], { now: NOW })
    await buildDueReportMails(db, NOW)
    const noon = at('21T12:00:00')
    await publish(db, [second], { now: noon })
    await buildDueReportMails(db, noon)
    await publish(db, [], { now: at('21T15:00:00') })
    await buildDueReportMails(db, at('21T15:00:00'))
    await publish(db, [], { now: at('22T10:00:00') })
    await buildDueReportMails(db, at('22T10:00:00'))
    expect((await listReportMails(db)).map(({ subject }) => subject)).toEqual([
      'ใหม่ 1 · ใกล้ปิด 1 – รายงานทั้งหมด',
      'ใหม่ 1 · ใกล้ปิด 1 – รายงานทั้งหมด',
      'ใกล้ปิด 1 – รายงานทั้งหมด',
    ])
  })

  // The mail queue's own tests cover every response of a mail server; these show that a report mail takes the same
  // path.
  let smtp: TestSmtp
  let transport: MailTransport
  const deliver = (now: Date) => {
    const delivery: MailDeliveryDependencies = { seal: createMailCipher([TEST_SECRET]), transport }
    return runDue(mailJob, { db, parts: { delivery }, now })
  }
  beforeAll(async () => {
    smtp = await startSmtpServer()
  })
  afterAll(() => smtp.close())
  afterEach(() => transport?.close())

  test.each<[string, SmtpMood, number, string]>([
    ['taken', 'take', 1, 'sent'],
    ['421 to the text', { at: 'DATA', code: 421 }, 1, 'sent'],
    ['550 to the address', { at: 'RCPT', code: 550 }, 0, 'failed'],
  ])('R53: over SMTP, %s', async (_, mood, arrives, state) => {
    transport = createSmtpTransport({ url: smtp.url, from: 'ตามงาน <no-reply@tamngan.example>' })
    smtp.received.length = 0
    smtp.moods.splice(0, smtp.moods.length, mood)
    await history()
    await addReader(db, organisation, 'a@x.example')
    await publish(db, [CAMERA], { now: NOW })
    await buildDueReportMails(db, NOW)
    await deliver(NOW)
    await deliver(new Date(NOW.getTime() + 10_000))
    expect(smtp.received).toHaveLength(arrives)
    expect(await db.query(sql`select state from mails`)).toEqual([{ state }])
    if (arrives === 0) return
    const { parsed } = smtp.received[0]!
    expect(parsed.subject).toBe('ใหม่ 1 – รายงานทั้งหมด')
    const header = (key: string) => parsed.headers.find((entry) => entry.key === key)?.value
    expect(header('list-unsubscribe')).toMatch(
      /^<https:\/\/tamngan\.example\/api\/v2\/mail-links\/unsubscribe\/[\w.-]+>$/,
    )
    expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
  })

  test('does not send a mail that is a day old, because its deadlines would be wrong', async () => {
    await history()
    await addReader(db, organisation, 'a@x.example')
    await publish(db, [CAMERA], { now: NOW })
    await buildDueReportMails(db, NOW)
    transport = createSmtpTransport({ url: smtp.url, from: 'x@tamngan.example' })
    smtp.received.length = 0
    await deliver(new Date(NOW.getTime() + 25 * 3_600_000))
    expect(smtp.received).toEqual([])
    expect(await db.query(sql`select state from mails`)).toEqual([{ state: 'expired' }])
  })
})
