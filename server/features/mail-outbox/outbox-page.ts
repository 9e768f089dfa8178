import { formatBangkokTime } from '#contract/thai-date.ts'
import { escapeHtml } from '#server/mail/escape-html.ts'
import type { SealedMail } from '#server/mail/seal-mail.ts'

export type OutboxMail = SealedMail & { readonly id: number; readonly createdAt: string }

/** The list of mails that would have been sent. */
export function outboxListPage(mails: readonly OutboxMail[]): string {
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
export function outboxMailPage({ id, to, subject, text, createdAt }: OutboxMail): string {
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
