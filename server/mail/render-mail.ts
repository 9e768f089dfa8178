import { escapeHtml } from './escape-html.ts'

export type MailContent = { readonly subject: string; readonly html: string; readonly text: string }

/** Parts of a mail, in their order. `code`: one to type over. `button`: a link, also written out for who cannot click. */
export type MailBlock =
  | { readonly text: string }
  | { readonly code: string }
  | { readonly button: string; readonly url: string }
  | { readonly facts: readonly (readonly [name: string, value: string])[] }
  | { readonly note: string }

/** One look for all mails: no pictures, nothing from elsewhere, readable light and dark, and the same words as plain text. */
export function renderMail(mail: {
  readonly subject: string
  /** The first line that a mail program shows beside the subject. */
  readonly preview: string
  readonly blocks: readonly MailBlock[]
}): MailContent {
  // A subject is one line, whatever a name in it holds (R35).
  const subject = mail.subject.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
  return {
    subject,
    html: page(subject, mail.preview, mail.blocks.map(htmlOf).join('\n')),
    text: `${mail.blocks.map(textOf).join('\n\n')}\n\n${FOOTER.join('\n')}\n`,
  }
}

const FOOTER = ['ตามงาน – ติดตามงานจัดซื้อจัดจ้างภาครัฐ', 'อีเมลนี้ส่งโดยอัตโนมัติ ไม่ต้องตอบกลับ']

const FONT = "font-family:'Anuphan','Noto Sans Thai','Sarabun',Tahoma,sans-serif;"

function htmlOf(block: MailBlock): string {
  if ('text' in block) return `<p style="margin:0 0 16px">${escapeHtml(block.text)}</p>`
  if ('note' in block)
    return `<p class="note" style="margin:0 0 12px;font-size:14px;color:#5b6472">${escapeHtml(block.note)}</p>`
  if ('code' in block)
    return `<p class="code" style="margin:0 0 16px;padding:16px;text-align:center;background:#eef2f7;border-radius:8px;font-size:32px;line-height:1.4;font-weight:700;letter-spacing:6px">${escapeHtml(block.code)}</p>`
  if ('facts' in block) {
    const rows = block.facts.map(
      ([name, value]) =>
        `<tr><td class="note" style="padding:2px 16px 2px 0;color:#5b6472;vertical-align:top">${escapeHtml(name)}</td><td style="padding:2px 0">${escapeHtml(value)}</td></tr>`,
    )
    return `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 16px">${rows.join('')}</table>`
  }
  const url = escapeHtml(block.url)
  return `<p style="margin:0 0 16px"><a class="button" href="${url}" target="_blank" style="display:inline-block;padding:12px 24px;background:#1d4ed8;color:#ffffff;border-radius:8px;text-decoration:none;font-weight:600">${escapeHtml(block.button)}</a></p>
<p class="note" style="margin:0 0 16px;font-size:14px;color:#5b6472;overflow-wrap:anywhere">ถ้ากดปุ่มไม่ได้ คัดลอกลิงก์นี้ไปเปิดในเบราว์เซอร์<br><a href="${url}" target="_blank" style="color:inherit">${url}</a></p>`
}

function textOf(block: MailBlock): string {
  if ('text' in block) return block.text
  if ('note' in block) return block.note
  if ('code' in block) return `    ${block.code}`
  if ('facts' in block) return block.facts.map(([name, value]) => `${name}: ${value}`).join('\n')
  return `${block.button}:\n${block.url}`
}

function page(subject: string, preview: string, body: string): string {
  return `<!doctype html>
<html lang="th">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>
@media (prefers-color-scheme: dark) {
  .page { background: #14181f !important; }
  .card { background: #1e242e !important; color: #e8ebf0 !important; }
  .note { color: #a9b3c1 !important; }
  .code { background: #2b3442 !important; color: #ffffff !important; }
  .button { background: #93b4ff !important; color: #10151d !important; }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f2f4f7">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preview)}</div>
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:#f2f4f7"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;background:#ffffff;border-radius:12px;color:#1b2430;${FONT}font-size:16px;line-height:1.7"><tr><td style="padding:28px 28px 20px">
<p style="margin:0 0 20px;font-size:18px;font-weight:700">ตามงาน</p>
${body}
</td></tr></table>
<p class="note" style="margin:16px 0 0;max-width:560px;${FONT}font-size:13px;line-height:1.7;color:#5b6472">${FOOTER.map(escapeHtml).join('<br>')}</p>
</td></tr></table>
</body>
</html>
`
}
