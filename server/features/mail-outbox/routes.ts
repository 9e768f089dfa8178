import type { FastifyReply } from 'fastify'
import { z } from 'zod/mini'
import { formatBangkokTime } from '#contract/thai/thai-date.ts'
import type { Db } from '#server/engine/db.ts'
import { escapeHtml } from '#server/mail/mail-frame.ts'
import { createMailSeal, type SealedMail } from '#server/mail/seal-mail.ts'
import { ProblemError } from '#server/route/problem.ts'
import type { RouteApp } from '#server/route/route-app.ts'
import { findInOutbox, listOutbox, type OutboxRow } from './queries.ts'

type OutboxMail = SealedMail & { readonly id: number; readonly createdAt: string }

/** The list of mails that would have been sent. */
function outboxListPage(mails: readonly OutboxMail[]): string {
  const rows = mails.map(
    ({ id, to, subject, createdAt }) =>
      `<tr><td>${formatBangkokTime(new Date(createdAt))}</td><td>${escapeHtml(to)}</td><td><a href="/outbox/${id}">${escapeHtml(subject)}</a></td></tr>`,
  )
  const table = `<table><thead><tr><th>เวลา</th><th>ถึง</th><th>เรื่อง</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
  return page(
    'กล่องอีเมลในเครื่อง',
    `<p>ยังไม่ได้ตั้ง SMTP_URL อีเมลที่ระบบจะส่งจึงเก็บไว้อ่านที่นี่ <a href="/outbox">โหลดใหม่</a></p>${rows.length === 0 ? '<p>ยังไม่มีอีเมล</p>' : table}`,
  )
}

/** One mail: its text, and the HTML that a mail program would show in a frame of its own. */
function outboxMailPage({ id, to, subject, text, createdAt }: OutboxMail): string {
  return page(
    subject,
    `<p><a href="/outbox">← อีเมลทั้งหมด</a></p>
<p>ถึง ${escapeHtml(to)} · ${formatBangkokTime(new Date(createdAt))}</p>
<iframe src="/outbox/${id}/html" title="อีเมลแบบ HTML" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>
<h2>ข้อความล้วน</h2>
<pre>${escapeHtml(text)}</pre>`,
  )
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="th"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>
:root { color-scheme: light dark; font: 16px/1.7 Anuphan, 'Noto Sans Thai', Sarabun, Tahoma, sans-serif }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
table { width: 100%; border-collapse: collapse } th, td { text-align: left; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid #8884; vertical-align: top }
iframe { box-sizing: border-box; width: 100%; height: 34rem; border: 1px solid #8884; border-radius: 8px }
pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: 1rem; border: 1px solid #8884; border-radius: 8px }
</style></head>
<body><h1>${escapeHtml(title)}</h1>${body}</body></html>
`
}

const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
/** A mail in its frame: its own styles, links that open outside, nothing else. */
const MAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox"

/**
 * GET /outbox: the mails that this machine would have sent. They open accounts, so register it only where no mail server is set and
 * never in production.
 */
export function outboxRoutes(
  app: RouteApp,
  { db, secrets }: { readonly db: Db; readonly secrets: readonly [string, ...string[]] },
): void {
  const seal = createMailSeal(secrets)
  const opened = ({ id, sealed, createdAt }: OutboxRow): OutboxMail | undefined => {
    const mail = seal.open(sealed)
    return mail && { ...mail, id, createdAt }
  }
  const mailWith = async (id: string): Promise<OutboxMail> => {
    const row = /^\d{1,15}$/.test(id) ? await findInOutbox(db, Number(id)) : undefined
    const mail = row && opened(row)
    if (!mail) throw new ProblemError('not_found')
    return mail
  }
  const html = (reply: FastifyReply, policy: string, text: string) =>
    reply
      .header('content-security-policy', policy)
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(text)
  const schema = { hide: true } as const
  const withId = { hide: true, params: z.object({ id: z.string() }) } as const

  app.get('/outbox', { schema }, async (_request, reply) => {
    const mails = (await listOutbox(db)).map(opened).filter((mail) => mail !== undefined)
    return html(reply, PAGE_POLICY, outboxListPage(mails))
  })
  app.get('/outbox/:id', { schema: withId }, async (request, reply) =>
    html(reply, PAGE_POLICY, outboxMailPage(await mailWith(request.params.id))),
  )
  app.get('/outbox/:id/html', { schema: withId }, async (request, reply) => {
    const { html: body } = await mailWith(request.params.id)
    return html(reply.header('x-frame-options', 'SAMEORIGIN'), MAIL_POLICY, body)
  })
}
