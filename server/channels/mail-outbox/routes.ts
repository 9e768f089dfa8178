import { readFileSync } from 'node:fs'
import type { FastifyReply } from 'fastify'
import { z } from 'zod/mini'
import { formatBangkokTime } from '#contract/thai/thai-date.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { type AddressedMail, createMailCipher } from '#server/platform/mail/mail-cipher.ts'
import { escapeHtml, MAIL_COLOURS, MAIL_FONT, MAIL_HEADER_COLOURS } from '#server/platform/mail/mail-frame.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { findOutboxMail, listOutboxMails, type MailOutboxRow } from './queries.ts'

type OutboxMail = AddressedMail & { readonly id: number; readonly createdAt: string }

function outboxListPage(mails: readonly OutboxMail[]): string {
  const rows = mails.map(
    ({ id, to, subject, createdAt }) =>
      `<li><a href="/outbox/${id}">${escapeHtml(subject)}</a><span>ถึง ${escapeHtml(to)}</span><time>${formatBangkokTime(new Date(createdAt))} น.</time></li>`,
  )
  const empty = `<div class="empty"><p><b>ยังไม่มีอีเมล</b></p><p>รหัสยืนยันการสมัคร ลิงก์ตั้งรหัสผ่าน และอีเมลรายงานจะมาอยู่ที่นี่</p><p><a href="/register">สมัครใช้งาน</a> <a href="/reset-password">ขอตั้งรหัสผ่านใหม่</a></p></div>`
  return page(
    'กล่องอีเมลในเครื่อง',
    `<p class="m">ยังไม่ได้ตั้ง SMTP_URL อีเมลที่ระบบจะส่งจึงเก็บไว้อ่านที่นี่ <a href="/outbox">โหลดใหม่</a></p>${rows.length === 0 ? empty : `<ul>${rows.join('')}</ul>`}`,
  )
}

function outboxMailPage({ id, to, subject, text, createdAt }: OutboxMail): string {
  return page(
    subject,
    `<p><a href="/outbox">← อีเมลทั้งหมด</a></p>
<p class="m">ถึง ${escapeHtml(to)} · ${formatBangkokTime(new Date(createdAt))} น.</p>
<iframe src="/outbox/${id}/html" title="อีเมลแบบ HTML" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>
<h2>ข้อความล้วน</h2>
<pre>${escapeHtml(text)}</pre>`,
  )
}

const { light, dark } = MAIL_COLOURS

const SUBSETS = { thai: 'U+0E00-0E7F', latin: 'U+0000-00FF,U+2000-206F,U+2190-2193' } as const

function fontFaces(): string {
  const faces = Object.entries(SUBSETS).map(([subset, range]) => {
    const file = import.meta.resolve(`@fontsource-variable/anuphan/files/anuphan-${subset}-wght-normal.woff2`)
    const data = readFileSync(new URL(file)).toString('base64')
    return `@font-face{font-family:Anuphan;font-weight:100 700;unicode-range:${range};src:url(data:font/woff2;base64,${data}) format('woff2')}`
  })
  return faces.join('\n')
}

let faces: string | undefined
function productFont(): string {
  try {
    faces ??= fontFaces()
  } catch {
    faces = ''
  }
  return faces
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="th"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · ตามงาน</title>
<style>
${productFont()}
:root { color-scheme: light dark; font: 16px/1.7 ${MAIL_FONT}; --page: ${light.page}; --card: ${light.card}; --ink: ${light.ink}; --muted: ${light.muted}; --accent: ${light.accent}; --line: ${light.line} }
@media (prefers-color-scheme: dark) { :root { --page: ${dark.page}; --card: ${dark.card}; --ink: ${dark.ink}; --muted: ${dark.muted}; --accent: ${dark.accent}; --line: ${dark.line} } }
body { margin: 0; background: var(--page); color: var(--ink); overflow-wrap: anywhere }
header { background: ${MAIL_HEADER_COLOURS.ground}; color: ${MAIL_HEADER_COLOURS.ink}; font-size: 20px; font-weight: 700 }
header, main { padding: .7rem max(1rem, calc(50vw - 30rem)) }
h1 { margin: .6rem 0 .2rem; font-size: 22px; line-height: 1.5 } h2 { font-size: 18px; line-height: 1.5 }
a { color: var(--accent) } .m, li span, time { color: var(--muted) }
p > a { display: inline-block; padding: .55rem 1rem .55rem 0 }
ul { list-style: none; margin: 1rem 0; padding: 0; background: var(--card); border: 1px solid var(--line); border-radius: 12px }
li { display: grid; grid-template-columns: 1fr auto; gap: 0 1rem; padding: .6rem 1rem; border-top: 1px solid var(--line) } li:first-child { border-top: 0 }
li a { grid-column: 1 / -1; padding: .25rem 0; font-weight: 600 } li span { min-width: 0 }
iframe, pre, .empty { box-sizing: border-box; width: 100%; background: var(--card); border: 1px solid var(--line); border-radius: 12px }
iframe { height: 38rem } pre { margin: 0; white-space: pre-wrap; padding: 1rem; font: inherit } .empty { padding: 1.5rem; text-align: center }
@media (max-width: 480px) { li { grid-template-columns: 1fr } iframe { width: calc(100% + 2rem); margin: 0 -1rem; border-width: 1px 0; border-radius: 0 } }
</style></head>
<body><header>ตามงาน</header><main><h1>${escapeHtml(title)}</h1>${body}</main></body></html>
`
}

const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; font-src data:; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
const MAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox"

/**
 * GET /outbox: emails that this machine would have sent. They grant account access, so the route is registered only
 * without a mail server and never in production.
 */
export function mailOutboxRoutes(
  app: RouteApp,
  { db, secrets }: { readonly db: Db; readonly secrets: readonly [string, ...string[]] },
): void {
  const seal = createMailCipher(secrets)
  const openMail = ({ id, sealed, createdAt }: MailOutboxRow): OutboxMail | undefined => {
    const mail = seal.open(sealed)
    return mail && { ...mail, id, createdAt }
  }
  const mailWith = async (id: string): Promise<OutboxMail> => {
    const row = /^\d{1,15}$/.test(id) ? await findOutboxMail(db, Number(id)) : undefined
    const mail = row && openMail(row)
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
    const mails = (await listOutboxMails(db)).map(openMail).filter((mail) => mail !== undefined)
    return html(reply, PAGE_POLICY, outboxListPage(mails))
  })
  app.get('/outbox/:id', { schema: withId }, async (request, reply) =>
    html(reply, PAGE_POLICY, outboxMailPage(await mailWith(request.params.id))),
  )
  app.get('/outbox/:id/html', { schema: withId }, async (request, reply) => {
    const { html: body } = await mailWith(request.params.id)
    // Emails name the product font but do not embed it; show them as on a device that has the font.
    const withFont = body.replace('</head>', () => `<style>${productFont()}</style></head>`)
    return html(reply.header('x-frame-options', 'SAMEORIGIN'), MAIL_POLICY, withFont)
  })
}
