import { formatCount } from '#contract/thai/thai-number.ts'
import { truncate } from '#contract/truncate.ts'
import { assembleMail, type MailFragment, type MailList } from './assemble-mail.ts'
import { collapseToOneLine, escapeHtml, renderMailPage } from './mail-frame.ts'
import type { MailContent } from './render-mail.ts'

export type LabelledLink = { readonly text: string; readonly url: string }

export type ReportMailRow = {
  readonly name: string
  readonly url: string
  /** True if the project is new in the loads of this email but listed in another section because of its deadline. */
  readonly isNew: boolean
  readonly facts: readonly string[]
  readonly deadline: { readonly text: string; readonly isUrgent: boolean } | undefined
  readonly changes: readonly { readonly field: string; readonly old: string | undefined; readonly new: string }[]
  readonly result: string | undefined
  readonly filters: readonly string[]
  readonly actions: readonly LabelledLink[]
}

export type ReportMailSection = {
  readonly title: string
  readonly count: number
  readonly rows: readonly ReportMailRow[]
  readonly all: readonly LabelledLink[]
}

export type ReportMailFilter = {
  readonly name: string
  readonly words: string
  readonly links: readonly LabelledLink[]
}

export type ReportMail = {
  readonly subject: string
  readonly preview: string
  readonly title: string
  readonly figures: readonly { readonly text: string; readonly link?: LabelledLink }[]
  readonly filters: readonly ReportMailFilter[]
  readonly notes: readonly string[]
  readonly sections: readonly ReportMailSection[]
  readonly ends: readonly LabelledLink[]
  readonly unsubscribeUrl: string
}

export const REPORT_MAIL_WIDTH = 640

/** Renders the report email as equivalent HTML and plain text. Names are escaped everywhere (R35). */
export function renderReportMail(mail: ReportMail): MailContent {
  const subject = collapseToOneLine(mail.subject)
  const filters: MailList = {
    items: mail.filters.map((filter) => ({ html: filterHtml(filter), text: filterText(filter) })),
    rest: (omitted) =>
      omitted === 0 ? EMPTY_MAIL_FRAGMENT : renderMailNoteWithLinks(`และอีก ${omitted} ตัวกรอง`, [mail.ends[0]!]),
    separator: '\n\n',
  }
  const parts = [
    renderMailTitleWithLinks(mail.title, mail.ends),
    ...mail.figures.map(({ text, link }) => (link ? renderMailNoteWithLinks(text, [link]) : renderMailNote(text))),
    filters,
    ...mail.notes.map((note) => renderMailNote(note)),
    ...mail.sections.map(sectionList),
    { html: '', text: mail.ends.map(renderLinkText).join('\n') },
  ]
  const footer = `${mail.ends.map(renderLinkHtml).join(' · ')}<br>`
  const page = (body: string) =>
    renderMailPage({
      subject,
      preview: truncate(mail.preview, MAX_MAIL_PREVIEW_LENGTH),
      body,
      footer,
      width: REPORT_MAIL_WIDTH,
    })
  return { subject, ...assembleMail(parts, page), unsubscribeUrl: mail.unsubscribeUrl }
}

export const EMPTY_MAIL_FRAGMENT: MailFragment = { html: '', text: '' }
export const renderMailNoteWithLinks = (note: string, links: readonly LabelledLink[]): MailFragment => ({
  html: `<div class="row m sentence">${escapeHtml(note)} ${links.map(renderLinkHtml).join(' · ')}</div>`,
  text: [note, ...links.map(renderLinkText)].join('\n'),
})

export const MAX_MAIL_PREVIEW_LENGTH = 200
/** Longer project names are cut, because some have 2,000 characters. */
const MAX_NAME = 400
const MAX_WORDS = 1_000

/**
 * Returns the title, followed by the links that also end the email, so that a clipped email still shows how to
 * unsubscribe.
 */
export const renderMailTitleWithLinks = (title: string, ends: readonly LabelledLink[]): MailFragment => ({
  html: `<h1 style="margin:0 0 8px;font-size:21px;line-height:1.5">${escapeHtml(title)}</h1>
<p class="note" style="margin:0 0 16px;font-size:13px">${ends.map(renderLinkHtml).join(' · ')}</p>`,
  text: [title, ...ends.map(renderLinkText)].join('\n'),
})

export const renderMailNote = (note: string, margin = '0 0 12px'): MailFragment => ({
  html: `<p class="note" style="margin:${margin};font-size:14px">${escapeHtml(note)}</p>`,
  text: note,
})

export const renderLinkHtml = ({ text, url }: LabelledLink) =>
  `<a class="l" href="${escapeHtml(url)}">${escapeHtml(text)}</a>`
export const renderActionLinkHtml = ({ text, url }: LabelledLink) =>
  `<a class="l act" href="${escapeHtml(url)}">${escapeHtml(text)}</a>`
export const renderLinkText = ({ text, url }: LabelledLink) => `${text}: ${url}`

function filterHtml({ name, words, links }: ReportMailFilter): string {
  return `<div class="box"><b>${escapeHtml(truncate(name, MAX_NAME))}</b><div class="m">${escapeHtml(truncate(words, MAX_WORDS))}</div><div class="m">${links.map(renderActionLinkHtml).join('')}</div></div>`
}

function filterText({ name, words, links }: ReportMailFilter): string {
  return [
    `[ ${collapseToOneLine(truncate(name, MAX_NAME))} ]`,
    truncate(words, MAX_WORDS),
    ...links.map(renderLinkText),
  ].join('\n')
}

const heading = ({ title, count }: ReportMailSection) => `${title} · ${formatCount(count)} โครงการ`

/**
 * `omitted` counts the rows that were dropped to keep the email small, in addition to rows that were never passed in.
 */
function sectionList(section: ReportMailSection): MailList {
  const title = heading(section)
  return {
    before: { html: `<h2>${escapeHtml(title)}</h2>`, text: `== ${title} ==` },
    items: section.rows.map((row) => ({ html: rowHtml(row), text: rowText(row) })),
    rest: (omitted) => {
      const hidden = section.count - section.rows.length + omitted
      if (hidden === 0) return EMPTY_MAIL_FRAGMENT
      return renderMailNoteWithLinks(`และอีก ${formatCount(hidden)} โครงการไม่ได้แสดงในอีเมลนี้`, section.all)
    },
    separator: '\n\n',
  }
}

function rowHtml(row: ReportMailRow): string {
  const lines = [
    `<a class="l" href="${escapeHtml(row.url)}"><b>${escapeHtml(truncate(row.name, MAX_NAME))}</b></a>`,
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
    `<div class="m">${row.actions.map(renderActionLinkHtml).join('')}</div>`,
  ]
  return `<div class="row">${lines.filter((line) => line !== '').join('')}</div>`
}

function rowText(row: ReportMailRow): string {
  return [
    `• ${collapseToOneLine(truncate(row.name, MAX_NAME))}`,
    [...(row.isNew ? ['ใหม่'] : []), ...row.facts].join(' · '),
    ...(row.deadline ? [row.deadline.text] : []),
    ...row.changes.map(
      (change) => `${change.field}: ${change.old === undefined ? '' : `${change.old} → `}${change.new}`,
    ),
    ...(row.result === undefined ? [] : [row.result]),
    ...(row.filters.length > 0 ? [`ตรงกับ ${row.filters.join(', ')}`] : []),
    row.url,
    ...row.actions.map(renderLinkText),
  ]
    .map((line) => `  ${line}`)
    .join('\n')
    .replace(/^ {2}•/, '•')
}
