import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mailJob } from '#server/jobs/mail/mail-job.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { createMailCipher } from '#server/platform/mail/mail-cipher.ts'
import { createSmtpTransport } from '#server/platform/mail/smtp-transport.ts'
import { startQueueWorker } from '#server/platform/queue/job-worker.ts'
import type { StoppableTask } from '#server/platform/queue/run-periodically.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onOneEngine } from '../../test/server/databases.ts'
import { appOn, TEST_SECRET } from '../../test/server/http-app.ts'
import { startSmtpServer, type TestSmtp } from '../../test/server/smtp-server.ts'

const EMAIL = 'anong@siamyotha.example'
const PASSWORDS = ['Kluay-5-Wan#', 'Ngaan#Klong7', 'Fon!Tok9Nak']

onOneEngine('secrets', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let smtp: TestSmtp
  let mails: StoppableTask
  const lines: string[] = []
  const write = (fields: object, text: string) => void lines.push(JSON.stringify({ ...fields, text }))

  beforeAll(async () => {
    db = await makeDb()
    smtp = await startSmtpServer()
    const logStream = { write: (line: string) => void lines.push(line) }
    app = await appOn(db, { settings: { publicUrl: 'https://tamngan.example', logLevel: 'trace', logStream } })
    const transport = createSmtpTransport({ url: smtp.url, from: 'no-reply@tamngan.example' })
    const parts = { delivery: { seal: createMailCipher([TEST_SECRET]), transport } }
    const log = { info: write, warn: write, error: write }
    mails = startQueueWorker({ db, kinds: [mailJob], parts, log, now: () => new Date() })
  })
  afterAll(async () => {
    await app.close()
    await mails.stop()
    await smtp.close()
  })

  const post = async (path: string, payload: object, headers: Record<string, string> = {}) => {
    const answer = await app.inject({ method: 'POST', url: `/api/v2/${path}/`, payload, headers })
    if (answer.statusCode >= 300) throw new Error(`${path}: ${answer.statusCode} ${answer.body}`)
    return answer.body === '' ? {} : answer.json()
  }
  const mailed = async (count: number, pattern: RegExp): Promise<string> => {
    while (smtp.received.length < count) await new Promise((resolve) => setTimeout(resolve, 50))
    return pattern.exec(smtp.received[count - 1]!.parsed.text ?? '')![1]!
  }

  test('R14: a full account lifecycle leaves no password, token, code or link in the database or the log', async () => {
    const [first, second, third] = PASSWORDS as [string, string, string]
    const { register_form_code } = await post('auth/register-step-one', {
      email: EMAIL,
      password: first,
      terms_accepted: true,
    })
    await post('auth/register-step-two', {
      register_form_code,
      organization_name: 'บริษัท สยามโยธา จำกัด',
      firstname: 'อนงค์',
      lastname: 'ใจดี',
      phone: '0812345678',
      discover_lightwork: 'Facebook',
    })
    await post('auth/create-register-otp', { register_form_code })
    const otp = await mailed(1, /\b(\d{6})\b/)
    const registered = await post('auth/register-step-final', { register_form_code, otp })
    await post('auth/logout', { refresh: registered.refresh })
    await post('password/reset', { email: EMAIL })
    const token = await mailed(2, /\/reset-password\/([\w-]+)/)
    await app.inject({ url: `/reset-password/${token}` })
    await app.inject({ url: `/api/v2/password/reset/verify/${token}` })
    await post(`password/reset/confirm/${token}`, { new_password: second, confirm_password: second })
    const login = await post('auth/login', { email: EMAIL, password: second })
    const renewed = await post('auth/token/refresh', { refresh: login.refresh })
    const bearer = { authorization: `Bearer ${renewed.access}` }
    await post('password/change', { new_password: third, confirm_password: third }, bearer)
    await app.inject({ method: 'POST', url: '/api/v2/auth/login/', payload: { email: EMAIL, password: first } })
    await mailed(4, /(.)/)
    while ((await db.query(sql`select from mails where state <> 'sent'`)).length > 0)
      await new Promise((resolve) => setTimeout(resolve, 50))

    const tokens = [registered, login, renewed].flatMap(({ access, refresh }) => [access, refresh])
    const secrets = [...PASSWORDS, ...tokens, token, register_form_code]
    const log = lines.join('')
    const dump = await dumpOf(db)
    for (const [where, text] of [
      ['log', log],
      ['database', dump],
    ] as const) {
      expect(text.length).toBeGreaterThan(1000)
      for (const secret of secrets) expect([where, text.includes(secret)]).toEqual([where, false])
      // The six digits may occur in a longer number by chance, so search for them as a separate number.
      expect([where, new RegExp(`(?<![\\d.])${otp}(?!\\d)`).test(text)]).toEqual([where, false])
    }
    expect(log).not.toContain(EMAIL)
  })
})

async function dumpOf(db: OpenDb): Promise<string> {
  const tables = await db.query<{ name: string }>(sql`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`)
  const texts: string[] = []
  for (const { name } of tables) {
    const [row] = await db.query<{ text: string | null }>(
      sql`select string_agg(t::text, ' ') as text from ${raw(`"${name}"`)} t`,
    )
    texts.push(row?.text ?? '')
  }
  return texts.join('\n')
}
