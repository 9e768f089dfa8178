import { escapeHtml, MAIL_COLOURS, MAIL_FOOTER, mailPage, oneLine } from './mail-frame.ts'

export type MailContent = {
  readonly subject: string
  readonly html: string
  readonly text: string
  /** Where one POST without a session ends mails of this kind (RFC 8058); mails that nobody asked to be sent again and again have none. */
  readonly unsubscribeUrl?: string
}

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
  const subject = oneLine(mail.subject)
  return {
    subject,
    html: mailPage({ subject, preview: mail.preview, body: mail.blocks.map(htmlOf).join('\n') }),
    text: `${mail.blocks.map(textOf).join('\n\n')}\n\n${MAIL_FOOTER.join('\n')}\n`,
  }
}

const { muted, code, button, onButton } = MAIL_COLOURS.light

function htmlOf(block: MailBlock): string {
  if ('text' in block) return `<p style="margin:0 0 16px">${escapeHtml(block.text)}</p>`
  if ('note' in block)
    return `<p class="note" style="margin:0 0 12px;font-size:14px;color:${muted}">${escapeHtml(block.note)}</p>`
  if ('code' in block)
    return `<p class="code" style="margin:0 0 16px;padding:16px;text-align:center;background:${code};border-radius:8px;font-size:32px;line-height:1.4;font-weight:700;letter-spacing:6px">${escapeHtml(block.code)}</p>`
  if ('facts' in block) {
    const rows = block.facts.map(
      ([name, value]) =>
        `<tr><td class="note" style="padding:2px 16px 2px 0;color:${muted};vertical-align:top">${escapeHtml(name)}</td><td style="padding:2px 0">${escapeHtml(value)}</td></tr>`,
    )
    return `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 16px">${rows.join('')}</table>`
  }
  const url = escapeHtml(block.url)
  return `<p style="margin:0 0 16px"><a class="button" href="${url}" target="_blank" style="display:inline-block;padding:12px 24px;background:${button};color:${onButton};border-radius:8px;text-decoration:none;font-weight:600">${escapeHtml(block.button)}</a></p>
<p class="note" style="margin:0 0 16px;font-size:14px;color:${muted};overflow-wrap:anywhere">ถ้ากดปุ่มไม่ได้ คัดลอกลิงก์นี้ไปเปิดในเบราว์เซอร์<br><a href="${url}" target="_blank" style="color:inherit">${url}</a></p>`
}

function textOf(block: MailBlock): string {
  if ('text' in block) return block.text
  if ('note' in block) return block.note
  if ('code' in block) return `    ${block.code}`
  if ('facts' in block) return block.facts.map(([name, value]) => `${name}: ${value}`).join('\n')
  return `${block.button}:\n${block.url}`
}
