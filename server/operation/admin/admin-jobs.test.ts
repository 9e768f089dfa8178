import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { RESTARTABLE_JOB_KINDS } from '#server/jobs/job-kinds.ts'
import { mailJob } from '#server/jobs/mail/mail-job.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { createMailCipher } from '#server/platform/mail/mail-cipher.ts'
import { renderMail } from '#server/platform/mail/render-mail.ts'
import { createSmtpTransport, type MailTransport } from '#server/platform/mail/smtp-transport.ts'
import { createOutgoingMailQueue } from '#server/platform/route/outgoing-mail.ts'
import { jobsOf, runDue } from '../../../test/jobs.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { TEST_SECRET } from '../../../test/server/http-app.ts'
import { startSmtpServer, type TestSmtp } from '../../../test/server/smtp-server.ts'
import type { AdminRequest } from './admin-requests.ts'
import { COMMAND_LINE_ACTOR } from './record-admin-event.ts'
import { runAdminRequest } from './run-admin-request.ts'

onEachEngineInTurn('work that was given up', (makeDb) => {
  let db: OpenDb
  let smtp: TestSmtp
  let transport: MailTransport
  const mails = createOutgoingMailQueue({ secrets: [TEST_SECRET], baseUrl: () => 'https://tamngan.example' })
  const admin = (request: AdminRequest) =>
    runAdminRequest({ db, mails, by: COMMAND_LINE_ACTOR, restartable: RESTARTABLE_JOB_KINDS }, request)

  beforeAll(async () => {
    db = await makeDb()
    smtp = await startSmtpServer()
    transport = createSmtpTransport({ url: smtp.url, from: 'ตามงาน <no-reply@tamngan.example>' })
    await db.script(`
      insert into organisations (code, name, package, customer_config, areas_with_provinces) values ('x', 'บริษัท เอ็กซ์', 'ทดลอง', '{}', '{}');`)
  })
  afterAll(async () => {
    transport.close()
    await smtp.close()
  })
  beforeEach(() => db.script('truncate mails, jobs; delete from audit_events'))

  const die = async (kind: string, at = 'now()') => {
    await db.script(`
      insert into jobs (kind, key, payload, organisation_id, state, attempts, last_error, requested_at, run_at, finished_at)
      values ('${kind}', '1', '{"expressions":["ความลับ"]}', 1, 'dead', 10, 'StatementError 57014', now(), now(), ${at})`)
    return (await db.query<{ id: number }>(sql`select max(id)::int as id from jobs`))[0]!.id
  }
  const trail = () => db.query(sql`select organisation_id, detail from audit_events order by id`)

  test('lists dead jobs first, newest on top, without their content', async () => {
    const older = await die('match', "now() - interval '1 hour'")
    const newer = await die('document')
    await db.script(
      `insert into jobs (kind, key, payload, requested_at, run_at) values ('export', 'f', '{}', now(), now())`,
    )
    const answer = await admin({ do: 'jobs' })
    const jobs = 'jobs' in answer ? answer.jobs : []
    expect(jobs.map(({ id, kind, state, canRestart }) => [id, kind, state, canRestart])).toEqual([
      [newer, 'document', 'dead', false],
      [older, 'match', 'dead', true],
      [expect.any(Number), 'export', 'waiting', false],
    ])
    expect(jobs[1]).toMatchObject({ organisation: 'x', attempts: 10, failure: 'StatementError 57014' })
    expect(JSON.stringify(answer)).not.toContain('ความลับ')
  })

  test('counts what needs attention, and unfixable items only for a day', async () => {
    const attention = async () => await admin({ do: 'attention' })
    const calm = {
      failedSources: 0,
      failedLoads: 0,
      unreadableRows: 0,
      deadJobs: 0,
      failedMails: 0,
      pausedWebhooks: 0,
      waitingKeywords: 0,
      undoneFacts: 0,
    }
    expect(await attention()).toEqual({ attention: calm })
    await die('match', "now() - interval '3 days'")
    await die('document', "now() - interval '3 days'")
    await die('document')
    await die('mail')
    await db.script(`
      insert into mails (kind, message_id, state, sealed, created_at, settled_at) values
        ('a', '<a>', 'failed', 'sealed', now(), now() - interval '3 days'), ('b', '<b>', 'failed', null, now(), now() - interval '3 days'),
        ('c', '<c>', 'failed', null, now(), now());
      insert into keywords (organisation_id, list, word, word_key, approved) values (1, 'include', 'ถนน', 'ถนน', false), (1, 'include', 'ท่อ', 'ท่อ', true);
      insert into loads (source, origin, state, quarantined_rows) values ('cgd-csv', 'a', 'failed', 9), ('cgd-csv', 'b', 'published', 4);
      insert into loads (source, origin, state, quarantined_rows, started_at) values ('cgd-csv', 'c', 'failed', 9, now() - interval '3 days');
      insert into fact_switches (fact, is_on, rule, switched_at, switched_by, unsure_share) values ('fee', false, 1, now(), 'unsure', 0.1), ('budget', false, 1, now(), 'operator', 0.1);
      insert into intake_sources (source, is_on, address, opens_at, closes_at, pace_ms, halted_at) values ('ocds', true, 'x', '17:30', '08:30', 4000, now()), ('ckan', false, 'x', '17:30', '08:30', 4000, now())`)
    const counts = {
      failedSources: 1,
      failedLoads: 1,
      unreadableRows: 4,
      deadJobs: 2,
      failedMails: 2,
      pausedWebhooks: 0,
      waitingKeywords: 1,
      undoneFacts: 1,
    }
    expect(await attention()).toEqual({ attention: counts })
    await db.script('delete from keywords; delete from loads; delete from intake_sources; delete from fact_switches')
  })

  test('restarts a dead job with all its attempts, and audits which', async () => {
    const id = await die('match')
    await admin({ do: 'restart-job', id })
    expect(await jobsOf(db, 'match')).toMatchObject([{ state: 'waiting', attempts: 0, last_error: null }])
    expect(await trail()).toEqual([{ organisation_id: 1, detail: { did: 'restart-job', id, kind: 'match' } }])
    await expect(admin({ do: 'restart-job', id })).rejects.toThrow('is not dead')
  })

  test('does not restart a job whose failure was already reported to a user', async () => {
    const id = await die('document')
    await expect(admin({ do: 'restart-job', id })).rejects.toThrow('is not dead')
    expect(await jobsOf(db, 'document')).toMatchObject([{ state: 'dead' }])
    expect(await trail()).toEqual([])
  })

  test('R52: resends a mail that the mail server refused, exactly once', async () => {
    const now = new Date()
    const parts = { delivery: { seal: createMailCipher([TEST_SECRET]), transport } }
    const content = renderMail({ subject: 'รหัสผ่านถูกเปลี่ยน', preview: '', blocks: [{ text: 'รหัสผ่านถูกเปลี่ยน' }] })
    smtp.moods.push({ at: 'RCPT', code: 550 })
    await mails.queue(db, { kind: 'password_changed', to: 'a@x.example', content, organisationId: 1 }, now)
    await runDue(mailJob, { db, parts, now })
    const listed = await admin({ do: 'mails' })
    const [mail] = 'mails' in listed ? listed.mails : []
    expect(mail).toMatchObject({ state: 'failed', failure: '550 RCPT TO', canResend: true })
    await admin({ do: 'resend-mail', id: mail!.id })
    await runDue(mailJob, { db, parts, now: new Date() })
    expect(smtp.received.map(({ to }) => to)).toEqual([['a@x.example']])
    expect(await admin({ do: 'mails' })).toEqual({ mails: [] })
    expect(await db.query(sql`select sealed from mails`)).toEqual([{ sealed: null }])
    expect(await trail()).toEqual([
      { organisation_id: 1, detail: { did: 'resend-mail', id: mail!.id, kind: 'password_changed' } },
    ])
    await expect(admin({ do: 'resend-mail', id: mail!.id })).rejects.toThrow('its text is deleted')
  })

  test.each([
    ["'sealed', null", true],
    ['null, null', false],
    ["'sealed', now() - interval '1 second'", false],
  ])('an undelivered mail with text and end %s can be resent: %s', async (sealed, can) => {
    await db.script(`
      insert into mails (kind, message_id, state, sealed, not_after, created_at, settled_at) select 'password_reset', '<a>', 'failed', ${sealed}, now(), now()`)
    const listed = await admin({ do: 'mails' })
    expect('mails' in listed && listed.mails.map(({ canResend }) => canResend)).toEqual([can])
  })
})
