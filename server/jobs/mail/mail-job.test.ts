import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { renderRegistrationOtpMail } from '#server/platform/mail/account-mails.ts'
import { createMailCipher } from '#server/platform/mail/mail-cipher.ts'
import { pruneMails } from '#server/platform/mail/queued-mails.ts'
import { createSmtpTransport, localOutboxTransport, type MailTransport } from '#server/platform/mail/smtp-transport.ts'
import { computeRetryDelayMs } from '#server/platform/queue/job.ts'
import { startQueueWorker } from '#server/platform/queue/job-worker.ts'
import { claimJob } from '#server/platform/queue/queries.ts'
import { createOutgoingMailQueue } from '#server/platform/route/outgoing-mail.ts'
import { jobsOf, runDue } from '../../../test/jobs.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { TEST_SECRET } from '../../../test/server/http-app.ts'
import { type SmtpMood, startSmtpServer, type TestSmtp } from '../../../test/server/smtp-server.ts'
import { mailJob } from './mail-job.ts'

const TO = 'anong@siamyotha.example'
const OTP = '012345'

test('R52: delays double from five seconds to half an hour', () => {
  const { backoff } = mailJob
  expect(computeRetryDelayMs(1, backoff, () => 0.5)).toBe(5_000)
  expect(computeRetryDelayMs(4, backoff, () => 0.5)).toBe(40_000)
  expect(computeRetryDelayMs(14, backoff, () => 0.5)).toBe(1_800_000)
  // A mail server that is down for an hour is back before the fifteenth attempt.
  const soonest = Array.from({ length: 14 }, (_, n) => computeRetryDelayMs(n + 1, backoff, () => 0)).reduce(
    (sum, wait) => sum + wait,
    0,
  )
  expect(soonest).toBeGreaterThan(60 * 60 * 1000)
})

onEachEngineInTurn('delivery of mails', (makeDb) => {
  let db: OpenDb
  let smtp: TestSmtp
  let transport: MailTransport
  /**
   * Transport with a short timeout, used only for tests of a silent server: on a busy machine it would mistake a slow
   * server for a silent one.
   */
  let hasty: MailTransport
  let clock = new Date('2026-11-21T03:00:00Z')
  const logged: string[] = []
  const seal = createMailCipher([TEST_SECRET])
  const mails = createOutgoingMailQueue({ secrets: [TEST_SECRET], baseUrl: () => 'https://tamngan.example' })
  const write = (fields: object, text: string) => void logged.push(JSON.stringify({ ...fields, text }))
  const log = { info: write, warn: write, error: write }

  beforeAll(async () => {
    db = await makeDb()
    smtp = await startSmtpServer()
  })
  afterAll(() => smtp.close())
  beforeEach(async () => {
    await db.script('truncate mails, jobs')
    const address = { url: smtp.url, from: 'ตามงาน <no-reply@tamngan.example>' }
    transport = createSmtpTransport(address)
    hasty = createSmtpTransport(address, { silenceMs: 400 })
    smtp.received.length = 0
    smtp.moods.length = 0
    logged.length = 0
  })
  afterEach(() => {
    transport.close()
    hasty.close()
  })

  const later = (ms: number) => {
    clock = new Date(clock.getTime() + ms)
  }
  const queue = (over: { notAfter?: Date; dedupeKey?: string; to?: string } = {}) =>
    mails.queue(
      db,
      { kind: 'register_otp', to: TO, content: renderRegistrationOtpMail({ otp: OTP, minutes: 10 }), ...over },
      clock,
    )
  const deliver = (via = transport, opener = seal) =>
    runDue(mailJob, { db, parts: { delivery: { seal: opener, transport: via } }, log, now: () => clock })
  const row = async () =>
    (
      await db.query<{
        state: string
        attempts: number
        failure: string | null
        sealed: string | null
        message_id: string
      }>(sql`
        select m.state, j.attempts, j.last_error as failure, m.sealed, m.message_id
        from mails m join jobs j on j.kind = 'mail' and j.key = m.id::text order by m.id limit 1`)
    )[0]!

  test('sends Thai text and HTML without pictures from our address, and deletes the text afterwards', async () => {
    await queue()
    expect(await deliver()).toBe(1)
    const [mail] = smtp.received
    expect([mail!.from, mail!.to]).toEqual(['no-reply@tamngan.example', [TO]])
    expect(mail!.parsed.subject).toBe('รหัสยืนยันการสมัครใช้งานตามงาน')
    expect(mail!.parsed.from).toMatchObject({ name: 'ตามงาน', address: 'no-reply@tamngan.example' })
    expect(mail!.parsed.text).toContain(OTP)
    expect(mail!.parsed.html).toContain(OTP)
    expect(mail!.parsed.html).not.toMatch(/<img|<link|src=|url\(/)
    expect(mail!.parsed.subject).not.toContain(OTP)
    const settled = await row()
    expect(settled).toMatchObject({ state: 'sent', sealed: null, failure: null })
    expect(mail!.parsed.messageId).toBe(settled.message_id)
    expect(settled.message_id).toMatch(/^<[\w-]{36}@tamngan\.example>$/)
    expect(logged.join()).toMatch(/"mail":"register_otp","state":"sent"/)
    for (const secret of [OTP, TO]) expect(logged.join()).not.toContain(secret)
  })

  test.each<[string, SmtpMood, string]>([
    ['421 to the text', { at: 'DATA', code: 421 }, '421 DATA'],
    ['450 to the address', { at: 'RCPT', code: 450 }, '450 RCPT TO'],
    ['silence', 'silence', ''],
  ])('R53: after %s retries later with the same Message-ID', async (_, mood, failure) => {
    smtp.moods.push(mood)
    await queue()
    await deliver(mood === 'silence' ? hasty : transport)
    const first = await row()
    expect(first).toMatchObject({ state: 'queued', attempts: 1 })
    expect(first.failure).toContain(failure)
    expect(smtp.received).toEqual([])
    expect(await deliver()).toBe(0)
    later(7_000)
    expect(await deliver()).toBe(1)
    expect(await row()).toMatchObject({ state: 'sent', attempts: 2, message_id: first.message_id })
    expect(smtp.received.map(({ parsed }) => parsed.messageId)).toEqual([first.message_id])
  })

  test('R53: a connection lost after the body causes at most one duplicate with the same Message-ID', async () => {
    smtp.moods.push('drop after data')
    await queue()
    await deliver()
    expect((await row()).state).toBe('queued')
    later(7_000)
    await deliver()
    expect((await row()).state).toBe('sent')
    expect(smtp.received).toHaveLength(2)
    expect(new Set(smtp.received.map(({ parsed }) => parsed.messageId)).size).toBe(1)
  })

  test.each<[string, SmtpMood, string]>([
    ['550 to the address', { at: 'RCPT', code: 550 }, '550 RCPT TO'],
    ['554 to the text', { at: 'DATA', code: 554 }, '554 DATA'],
  ])('R53: after %s gives up and marks the mail, without the words of the mail server', async (_, mood, failure) => {
    smtp.moods.push(mood)
    await queue()
    await deliver()
    expect(await row()).toMatchObject({ state: 'failed', attempts: 1, failure })
    // The text is still encrypted, so that an operator can resend the email (decision 0056).
    expect((await row()).sealed).not.toContain(OTP)
    later(3_600_000)
    expect(await deliver()).toBe(0)
    expect(logged.join()).not.toContain('secret.example')
  })

  test('R53: an hour without mail server loses no mail; after three hours it is marked failed', async () => {
    const down = createSmtpTransport({ url: 'smtp://127.0.0.1:1', from: 'x@tamngan.example' })
    await queue()
    const until = clock.getTime() + 3_600_000
    while (clock.getTime() < until) {
      await deliver(down)
      later(60_000)
    }
    expect((await row()).state).toBe('queued')
    later(1_800_000)
    await deliver()
    expect((await row()).state).toBe('sent')
    await queue()
    for (let attempt = 0; attempt < 200; attempt += 1) {
      await deliver(down)
      later(120_000)
    }
    const [last] = await db.query(sql`
      select m.state, j.attempts, m.sealed from mails m join jobs j on j.kind = 'mail' and j.key = m.id::text order by m.id desc limit 1`)
    expect(last).toEqual({ state: 'failed', attempts: 15, sealed: expect.any(String) })
  })

  test('R14: deletes the sealed text of an undelivered mail after seven days, that of a code with the code', async () => {
    smtp.moods.push({ at: 'RCPT', code: 550 }, { at: 'RCPT', code: 550 })
    await queue()
    await queue({ notAfter: new Date(clock.getTime() + 600_000) })
    await deliver()
    const texts = async () =>
      (await db.query<{ has: boolean }>(sql`select sealed is not null as has from mails order by id`)).map(
        ({ has }) => has,
      )
    expect(await texts()).toEqual([true, true])
    later(600_000)
    await pruneMails(db, clock)
    expect(await texts()).toEqual([true, false])
    later(7 * 86_400_000)
    await pruneMails(db, clock)
    expect(await texts()).toEqual([false, false])
    expect(await db.query(sql`select from mails where state = 'failed'`)).toHaveLength(2)
  })

  test('R53: never sends an expired code, even when its first attempt was in time', async () => {
    smtp.moods.push({ at: 'DATA', code: 421 })
    await queue({ notAfter: new Date(clock.getTime() + 5_000) })
    await deliver()
    later(5_000)
    expect(await deliver()).toBe(1)
    expect(await row()).toMatchObject({ state: 'expired', sealed: null })
    expect(smtp.received).toEqual([])
  })

  test('R52: two workers send each mail once, and a mail requested twice is queued once', async () => {
    for (let n = 0; n < 10; n += 1) await queue({ dedupeKey: `k${n}` })
    await queue({ dedupeKey: 'k3' })
    const counts = await Promise.all([deliver(), deliver()])
    expect(counts[0]! + counts[1]!).toBe(10)
    expect(new Set(smtp.received.map(({ parsed }) => parsed.messageId)).size).toBe(10)
    expect(smtp.received).toHaveLength(10)
  })

  test('R52: another worker takes over the mail of a killed one after a minute', async () => {
    await queue()
    expect(await claimJob(db, mailJob, 'a worker that dies', clock)).toBeDefined()
    expect(await deliver()).toBe(0)
    later(60_000)
    expect(await deliver()).toBe(1)
    expect(await row()).toMatchObject({ state: 'sent', attempts: 2 })
  })

  test('an address can neither add a recipient nor a header', async () => {
    await queue({ to: 'a@siam.example,b@evil.example' })
    await queue({ to: 'a@siam.example\r\nBcc: b@evil.example' })
    await deliver()
    expect(smtp.received).toEqual([])
    expect(await db.query(sql`select state from mails`)).toEqual([{ state: 'failed' }, { state: 'failed' }])
    expect((await jobsOf(db, 'mail')).map((job) => [job.state, job.last_error])).toEqual([
      ['dead', '501 RCPT TO'],
      ['dead', '501 RCPT TO'],
    ])
  })

  test('without a mail server keeps mails readable in the local outbox for a week and never sends them later', async () => {
    await queue({ notAfter: new Date(clock.getTime() + 5_000) })
    expect(await deliver(localOutboxTransport)).toBe(1)
    later(60_000)
    await deliver()
    const mail = await row()
    expect(mail.state).toBe('kept')
    expect(seal.open(mail.sealed!)?.text).toContain(OTP)
    expect(smtp.received).toEqual([])
    later(6 * 86_400_000)
    await pruneMails(db, clock)
    expect(await db.query(sql`select from mails`)).toHaveLength(1)
    later(86_400_000)
    await pruneMails(db, clock)
    expect(await db.query(sql`select from mails`)).toEqual([])
  })

  test('marks a mail sealed with a lost secret, while an older secret still opens', async () => {
    const older = createOutgoingMailQueue({
      secrets: ['an older secret, long enough to be one'],
      baseUrl: () => 'https://x.example',
    })
    const content = renderRegistrationOtpMail({ otp: OTP, minutes: 10 })
    await older.queue(db, { kind: 'register_otp', to: TO, content }, clock)
    await deliver()
    expect(await row()).toMatchObject({ state: 'failed', failure: 'encrypted with a different secret' })
    await older.queue(db, { kind: 'register_otp', to: TO, content }, clock)
    const both = createMailCipher([TEST_SECRET, 'an older secret, long enough to be one'])
    await deliver(transport, both)
    expect(smtp.received).toHaveLength(1)
  })

  test('stopping does not wait for a silent mail server; the mail stays in the queue', async () => {
    smtp.moods.push('silence')
    await queue()
    const patient = createSmtpTransport({ url: smtp.url, from: 'x@tamngan.example' })
    const parts = { delivery: { seal, transport: patient } }
    const worker = startQueueWorker({ db, kinds: [mailJob], parts, log, now: () => clock })
    while ((await jobsOf(db, 'mail'))[0]!.state !== 'running') await new Promise((resolve) => setTimeout(resolve, 20))
    await new Promise((resolve) => setTimeout(resolve, 100))
    const started = performance.now()
    const stopped = worker.stop()
    patient.close()
    await stopped
    // A silent server would take the full timeout of ten seconds.
    expect(performance.now() - started).toBeLessThan(5_000)
    expect((await row()).state).toBe('queued')
    expect(await jobsOf(db, 'mail')).toMatchObject([{ state: 'waiting', attempts: 0 }])
  })
})
