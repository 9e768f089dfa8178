import { truncate } from '#contract/truncate.ts'
import { assembleMail, type MailFragment, type MailSegment } from './assemble-mail.ts'
import { collapseToOneLine, escapeHtml, MAIL_COLOURS, renderMailPage } from './mail-frame.ts'

export type MailContent = {
  readonly subject: string
  readonly html: string
  readonly text: string
  /** URL that unsubscribes with one POST, without a session (RFC 8058); only for recurring emails. */
  readonly unsubscribeUrl?: string
}

/**
 * A block of an email. `code`: a code that the user types. `button`: a link, also shown as text for clients without
 * links.
 */
export type MailBlock =
  | { readonly text: string }
  | { readonly code: string }
  | { readonly button: string; readonly url: string }
  | { readonly facts: readonly (readonly [name: string, value: string])[]; readonly more?: string }
  | { readonly note: string }

/**
 * Common layout of all emails: no images, no external resources, readable in light and dark mode, with an equivalent
 * plain text.
 */
export function renderMail(mail: {
  readonly subject: string
  readonly preview: string
  readonly blocks: readonly MailBlock[]
  readonly manage?: string
}): MailContent {
  const subject = collapseToOneLine(mail.subject)
  const manage = mail.manage === undefined ? [] : [partOf({ note: mail.manage })]
  const page = (body: string) => renderMailPage({ subject, preview: truncate(mail.preview, MAX_TEXT), body })
  return { subject, ...assembleMail([...manage, ...mail.blocks.map(partOf), ...manage], page) }
}

const MAX_TEXT = 2_000
const MAX_NAME = 200

function partOf(block: MailBlock): MailSegment {
  if (!('facts' in block)) return { html: htmlOf(block), text: textOf(block) }
  const cut = block.facts.map(([name, value]) => [truncate(name, MAX_NAME), truncate(value, MAX_TEXT)] as const)
  return {
    items: cut.map((fact) => ({ html: factHtml(fact), text: `${fact[0]}: ${fact[1]}` })),
    rest: (omitted): MailFragment => {
      if (omitted === 0) return { html: '', text: '' }
      const note = `และอีก ${omitted} รายการ${block.more === undefined ? '' : ` ดูทั้งหมดที่ ${block.more}`}`
      return { html: htmlOf({ note }), text: note }
    },
    wrap: (rows) =>
      `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 16px">${rows}</table>`,
    separator: '\n',
  }
}

const factHtml = ([name, value]: readonly [string, string]) =>
  `<tr><td class="note" style="padding:2px 16px 2px 0;color:${muted};vertical-align:top">${escapeHtml(name)}</td><td style="padding:2px 0">${escapeHtml(value)}</td></tr>`

const { muted, code, button, onButton } = MAIL_COLOURS.light

type PlainBlock = Exclude<MailBlock, { readonly facts: unknown }>

function htmlOf(block: PlainBlock): string {
  if ('text' in block) return `<p style="margin:0 0 16px">${escapeHtml(truncate(block.text, MAX_TEXT))}</p>`
  if ('note' in block)
    return `<p class="note" style="margin:0 0 12px;font-size:14px;color:${muted}">${escapeHtml(truncate(block.note, MAX_TEXT))}</p>`
  if ('code' in block)
    return `<p class="code" style="margin:0 0 16px;padding:16px;text-align:center;background:${code};border-radius:8px;font-size:32px;line-height:1.4;font-weight:700;letter-spacing:6px">${escapeHtml(block.code)}</p>`
  const url = escapeHtml(block.url)
  return `<p style="margin:0 0 16px"><a class="button" href="${url}" target="_blank" style="display:inline-block;padding:12px 24px;background:${button};color:${onButton};border-radius:8px;text-decoration:none;font-weight:600">${escapeHtml(block.button)}</a></p>
<p class="note" style="margin:0 0 16px;font-size:14px;color:${muted};overflow-wrap:anywhere">ถ้ากดปุ่มไม่ได้ คัดลอกลิงก์นี้ไปเปิดในเบราว์เซอร์<br><a href="${url}" target="_blank" style="color:inherit">${url}</a></p>`
}

function textOf(block: PlainBlock): string {
  if ('text' in block) return truncate(block.text, MAX_TEXT)
  if ('note' in block) return truncate(block.note, MAX_TEXT)
  if ('code' in block) return `    ${block.code}`
  return `${block.button}:\n${block.url}`
}
