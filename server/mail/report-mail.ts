import { escapeHtml, MAIL_FOOTER, mailPage, oneLine } from './mail-frame.ts'
import type { MailContent } from './render-mail.ts'

export type MailLinkTo = { readonly text: string; readonly url: string }

/** One project as a report mail shows it. */
export type ReportMailRow = {
  readonly name: string
  readonly url: string
  /** Came in these loads, and stands in another part for its deadline. */
  readonly isNew: boolean
  /** Budget, department, province: what is known of them. */
  readonly facts: readonly string[]
  readonly deadline: { readonly text: string; readonly isUrgent: boolean } | undefined
  /** `old` is undefined where nothing was known before. */
  readonly changes: readonly { readonly field: string; readonly old: string | undefined; readonly new: string }[]
  readonly result: string | undefined
  /** Filters that caught it; empty where the mail has only one. */
  readonly filters: readonly string[]
  readonly actions: readonly MailLinkTo[]
}

export type ReportMailSection = {
  readonly title: string
  /** How many there are, shown or not. */
  readonly count: number
  readonly rows: readonly ReportMailRow[]
  /** Where all of them stand in the report. */
  readonly all: readonly MailLinkTo[]
}

export type ReportMailFilter = {
  readonly name: string
  readonly words: string
  readonly links: readonly MailLinkTo[]
}

export type ReportMail = {
  readonly subject: string
  readonly preview: string
  readonly title: string
  readonly filters: readonly ReportMailFilter[]
  readonly notes: readonly string[]
  readonly sections: readonly ReportMailSection[]
  /** The last lines: switch off, settings. */
  readonly ends: readonly MailLinkTo[]
  readonly unsubscribeUrl: string
}

/** A table of projects needs more room than an account's mail, and a phone takes what it has. */
export const REPORT_MAIL_WIDTH = 640

/** The report mail as HTML and as plain text, which say the same. Names of people and offices are escaped wherever they stand (R35). */
export function renderReportMail(mail: ReportMail): MailContent {
  const subject = oneLine(mail.subject)
  const body = [
    `<h1 style="margin:0 0 16px;font-size:21px;line-height:1.5">${escapeHtml(mail.title)}</h1>`,
    ...mail.filters.map(filterHtml),
    ...mail.notes.map((note) => `<p class="note" style="margin:0 0 12px;font-size:14px">${escapeHtml(note)}</p>`),
    ...mail.sections.map(sectionHtml),
  ].join('\n')
  const footer = `${mail.ends.map(linkHtml).join(' · ')}<br>`
  const text = [
    mail.title,
    ...mail.filters.map(filterText),
    ...mail.notes,
    ...mail.sections.map(sectionText),
    mail.ends.map(linkText).join('\n'),
    MAIL_FOOTER.join('\n'),
  ].join('\n\n')
  return {
    subject,
    html: mailPage({ subject, preview: mail.preview, body, footer, width: REPORT_MAIL_WIDTH }),
    text: `${text}\n`,
    unsubscribeUrl: mail.unsubscribeUrl,
  }
}

export const linkHtml = ({ text, url }: MailLinkTo) => `<a class="l" href="${escapeHtml(url)}">${escapeHtml(text)}</a>`
/** Easy to hit with a finger; apart from each other by room instead of a dot. */
export const actionHtml = ({ text, url }: MailLinkTo) =>
  `<a class="l act" href="${escapeHtml(url)}">${escapeHtml(text)}</a>`
export const linkText = ({ text, url }: MailLinkTo) => `${text}: ${url}`

function filterHtml({ name, words, links }: ReportMailFilter): string {
  return `<div class="box"><b>${escapeHtml(name)}</b><div class="m">${escapeHtml(words)}</div><div class="m">${links.map(actionHtml).join('')}</div></div>`
}

function filterText({ name, words, links }: ReportMailFilter): string {
  return [`[ ${oneLine(name)} ]`, words, ...links.map(linkText)].join('\n')
}

const heading = ({ title, count }: ReportMailSection) => `${title} · ${count.toLocaleString('en-US')} โครงการ`
const hidden = ({ rows, count }: ReportMailSection) => count - rows.length

function sectionHtml(section: ReportMailSection): string {
  const rest =
    hidden(section) > 0
      ? `<div class="row m">อีก ${hidden(section).toLocaleString('en-US')} โครงการไม่ได้แสดงในอีเมลนี้ ${section.all.map(linkHtml).join(' · ')}</div>`
      : ''
  return `<h2>${escapeHtml(heading(section))}</h2>\n${section.rows.map(rowHtml).join('\n')}${rest}`
}

function sectionText(section: ReportMailSection): string {
  const rest =
    hidden(section) > 0
      ? [`อีก ${hidden(section).toLocaleString('en-US')} โครงการไม่ได้แสดงในอีเมลนี้`, ...section.all.map(linkText)]
      : []
  return [
    `== ${heading(section)} ==`,
    ...section.rows.map(rowText),
    ...(rest.length > 0 ? [rest.join('\n')] : []),
  ].join('\n\n')
}

function rowHtml(row: ReportMailRow): string {
  const lines = [
    `<a class="l" href="${escapeHtml(row.url)}"><b>${escapeHtml(row.name)}</b></a>`,
    `<div class="m">${row.isNew ? '<span class="tag">ใหม่</span> · ' : ''}${row.facts.map(escapeHtml).join(' · ')}</div>`,
    row.deadline
      ? `<div class="m due${row.deadline.isUrgent ? ' urgent' : ''}">${escapeHtml(row.deadline.text)}</div>`
      : '',
    ...row.changes.map(
      (change) =>
        `<div class="m">${escapeHtml(change.field)}: ${change.old === undefined ? '' : `<s>${escapeHtml(change.old)}</s> → `}<b>${escapeHtml(change.new)}</b></div>`,
    ),
    row.result === undefined ? '' : `<div class="m due">${escapeHtml(row.result)}</div>`,
    row.filters.length > 0 ? `<div class="m">ตรงกับ ${row.filters.map(escapeHtml).join(', ')}</div>` : '',
    `<div class="m">${row.actions.map(actionHtml).join('')}</div>`,
  ]
  return `<div class="row">${lines.filter((line) => line !== '').join('')}</div>`
}

function rowText(row: ReportMailRow): string {
  return [
    `• ${oneLine(row.name)}`,
    [...(row.isNew ? ['ใหม่'] : []), ...row.facts].join(' · '),
    ...(row.deadline ? [row.deadline.text] : []),
    ...row.changes.map(
      (change) => `${change.field}: ${change.old === undefined ? '' : `${change.old} → `}${change.new}`,
    ),
    ...(row.result === undefined ? [] : [row.result]),
    ...(row.filters.length > 0 ? [`ตรงกับ ${row.filters.join(', ')}`] : []),
    row.url,
    ...row.actions.map(linkText),
  ]
    .map((line) => `  ${line}`)
    .join('\n')
    .replace(/^ {2}•/, '•')
}
