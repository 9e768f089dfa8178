import { truncate } from '#contract/truncate.ts'
import { assembleMail } from './assemble-mail.ts'
import { collapseToOneLine, escapeHtml, renderMailPage } from './mail-frame.ts'
import type { MailContent } from './render-mail.ts'
import {
  EMPTY_MAIL_FRAGMENT,
  type LabelledLink,
  MAX_MAIL_PREVIEW_LENGTH,
  REPORT_MAIL_WIDTH,
  renderActionLinkHtml,
  renderLinkHtml,
  renderLinkText,
  renderMailNote,
  renderMailNoteWithLinks,
  renderMailTitleWithLinks,
} from './render-report-mail.ts'

export type SavedQuestionMailItem = {
  readonly name: string
  readonly words: string
  readonly changes: readonly string[]
  readonly figures: readonly { readonly label: string; readonly value: string; readonly note: string }[]
  readonly companies: readonly { readonly name: string; readonly facts: string }[]
  readonly note: string | undefined
  readonly links: readonly LabelledLink[]
}

export type SavedQuestionMail = {
  readonly subject: string
  readonly preview: string
  readonly title: string
  readonly questions: readonly SavedQuestionMailItem[]
  readonly notes: readonly string[]
  readonly ends: readonly LabelledLink[]
  readonly unsubscribeUrl: string
}

/**
 * Renders the email about saved questions as equivalent HTML and plain text, styled like the report email. Names are
 * escaped everywhere (R35).
 */
export function renderSavedQuestionMail(mail: SavedQuestionMail): MailContent {
  const subject = collapseToOneLine(mail.subject)
  const parts = [
    renderMailTitleWithLinks(mail.title, mail.ends),
    {
      items: mail.questions.map((question) => ({ html: questionHtml(question), text: questionText(question) })),
      rest: (omitted: number) =>
        omitted === 0 ? EMPTY_MAIL_FRAGMENT : renderMailNoteWithLinks(`และอีก ${omitted} คำถาม`, [mail.ends[0]!]),
      separator: '\n\n',
    },
    ...mail.notes.map((note) => renderMailNote(note, '16px 0 0')),
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

function questionHtml({ name, words, changes, figures, companies, note, links }: SavedQuestionMailItem): string {
  const line = (text: string) => `<div class="m">${escapeHtml(text)}</div>`
  return [
    `<h2>${escapeHtml(name)}</h2>`,
    line(words),
    `<div class="box" style="margin-top:12px"><b>ใหม่ตั้งแต่อีเมลก่อน</b>${changes.map(line).join('')}</div>`,
    ...figures.map(
      (figure) =>
        `<div class="row" style="padding:8px 0">${escapeHtml(figure.label)} <b>${escapeHtml(figure.value)}</b> <span class="m">${escapeHtml(figure.note)}</span></div>`,
    ),
    ...companies.map(
      (company, at) =>
        `<div class="row" style="padding:8px 0">${at + 1}. <b>${escapeHtml(company.name)}</b>${line(company.facts)}</div>`,
    ),
    note === undefined ? '' : `<div class="row m" style="padding:8px 0">${escapeHtml(note)}</div>`,
    `<div class="row m" style="padding:4px 0">${links.map(renderActionLinkHtml).join('')}</div>`,
  ].join('')
}

function questionText({ name, words, changes, figures, companies, note, links }: SavedQuestionMailItem): string {
  return [
    `== ${collapseToOneLine(name)} ==`,
    words,
    '',
    'ใหม่ตั้งแต่อีเมลก่อน',
    ...changes.map((text) => `  ${text}`),
    '',
    ...figures.map((figure) => `${figure.label}: ${figure.value} ${figure.note}`),
    ...companies.map((company, at) => `${at + 1}. ${collapseToOneLine(company.name)} – ${company.facts}`),
    ...(note === undefined ? [] : [note]),
    '',
    ...links.map(renderLinkText),
  ].join('\n')
}
