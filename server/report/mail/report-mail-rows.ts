import { isActionable } from '#contract/catalogue/bid-state.ts'
import { calculateDiscount } from '#contract/catalogue/discount.ts'
import { formatDaysAndWorkingDaysLeft, getDeadlineUrgency } from '#contract/catalogue/time-left.ts'
import { extractDocumentMatchReasons, formatDocumentMatchReason } from '#contract/matching/document-reason.ts'
import { getDraftCommentNote } from '#contract/report/appeal.ts'
import { getEgpProjectHref } from '#contract/report/egp-href.ts'
import { formatFieldChange } from '#contract/report/format-field-change.ts'
import { PROJECT_FEEDBACK_VERDICTS } from '#contract/report/project-feedback.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { formatBahtShort } from '#contract/thai/money-text.ts'
import { countDaysBetween, formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { truncate } from '#contract/truncate.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { ReportMailRow } from '#server/platform/mail/render-report-mail.ts'
import type { WeekFigures } from '#server/report/morning-queue/week-figures.ts'
import type { ReportEngine } from '#server/report/report-queries.ts'
import type { MailLinkBuilder } from './build-mail-links.ts'
import {
  findBookmarkedProjectIds,
  findDraftCommentDays,
  findProjectFieldChanges,
  type ProjectFieldChange,
} from './mail-content-queries.ts'
import type { MailSectionName } from './mail-sections.ts'

export type ReaderScope = {
  readonly organisationId: number
  readonly userId: number
  readonly today: string
  readonly visit?: { readonly endedAt: string; readonly loads: readonly number[] } | undefined
}

/**
 * Report queries, injected by the caller because the report is another feature. Email and report thus use the same
 * filter code.
 */
export type ReportMailQueries = {
  reportsOf(db: Db): ReportEngine
  loadRowsOf(db: Db, organisationId: number, projectIds: readonly string[]): Promise<ReadonlyMap<string, ReportRow>>
  previousVisit(db: Db, userId: number, now: Date): Promise<ReaderScope['visit']>
  weekFigures(db: Db, scope: ReaderScope, now: Date): Promise<WeekFigures>
}

type RowsOptions = {
  readonly organisationId: number
  readonly userId: number
  readonly loadIds: readonly number[]
  readonly today: string
  readonly entries: readonly { readonly id: string; readonly section: MailSectionName; readonly isNew: boolean }[]
  readonly filtersOf: (id: string) => readonly string[]
  readonly links: MailLinkBuilder
}

/** Longer values are shortened, because twenty file names would bury the other changes. */
const MAX_VALUE_LENGTH = 120
const RESULT_FIELDS = ['winner_name', 'winner_budget', 'winner_announce_date', 'movement']

export async function loadReportMailRows(
  db: Db,
  reader: ReportMailQueries,
  { organisationId, userId, loadIds, today, entries, filtersOf, links }: RowsOptions,
): Promise<ReadonlyMap<string, ReportMailRow>> {
  const ids = entries.map(({ id }) => id)
  const rows = await reader.loadRowsOf(db, organisationId, ids)
  const bookmarked = await findBookmarkedProjectIds(db, userId, ids)
  const commented = await findDraftCommentDays(db, organisationId, ids)
  const changes = Map.groupBy(await findProjectFieldChanges(db, loadIds, ids), (change) => change.project_id)
  return new Map(
    entries.flatMap(({ id, section, isNew }) => {
      const row = rows.get(id)
      if (!row) return []
      return [
        [
          id,
          {
            name: row.name,
            url: links.page(`/report/${encodeURIComponent(id)}`),
            isNew: isNew && section !== 'new',
            facts: factsOf(row),
            deadline: section === 'results' ? undefined : deadlineOf(row, today, commented.get(id)),
            changes: isNew ? [] : changeLines(changes.get(id) ?? [], section),
            result: section === 'results' || section === 'new' ? resultOf(row) : undefined,
            filters: filtersOf(id),
            actions: actionsOf(row, links, { isStarred: bookmarked.has(id), today }),
          },
        ] as const,
      ]
    }),
  )
}

function actionsOf(
  row: ReportRow,
  links: MailLinkBuilder,
  { isStarred, today }: { readonly isStarred: boolean; readonly today: string },
): ReportMailRow['actions'] {
  const egp = getEgpProjectHref(row)
  return [
    isStarred
      ? { text: '★ เอาดาวออก', url: links.unbookmark(row.project_id) }
      : { text: '☆ ติดดาว', url: links.bookmark(row.project_id) },
    ...(isActionable(row, today)
      ? PROJECT_FEEDBACK_VERDICTS.map(({ code, th }) => ({ text: th, url: links.feedback(code, row.project_id) }))
      : [{ text: 'ซ่อน', url: links.hide(row.project_id) }]),
    ...(egp === undefined ? [] : [{ text: 'เปิดในระบบ e-GP', url: egp }]),
  ]
}

const bahtText = (baht: number) => `${formatBahtShort(baht)}${baht >= 1_000_000 ? '' : ' '}บาท`

function factsOf(row: ReportRow): string[] {
  const dept = row.dept_sub_name || row.dept_name
  const provinces = [...new Set([row.project_province ?? row.dept_province])].filter((name) => name !== null)
  const documentTexts = extractDocumentMatchReasons(row.match_reasons).map(({ word, page }) =>
    formatDocumentMatchReason(word, page),
  )
  return [
    row.budget === null ? 'ไม่ระบุงบประมาณ' : `งบ ${bahtText(row.budget)}`,
    dept,
    ...provinces,
    ...documentTexts,
  ].filter((text) => text !== '')
}

function deadlineOf(row: ReportRow, today: string, commentedOn: string | undefined): ReportMailRow['deadline'] {
  const dates = [
    {
      what: 'วิจารณ์ร่างถึง',
      day: row.draft_discussion_end_date,
      time: null,
      note: getDraftCommentNote(row.method, row.draft_discussion_end_date, commentedOn),
    },
    { what: 'ยื่นข้อเสนอถึง', day: row.submission_end_date, time: row.submission_time, note: undefined },
  ]
  const next = dates
    .filter((date): date is typeof date & { day: string } => date.day !== null && date.day >= today)
    .sort((a, b) => (a.day < b.day ? -1 : 1))[0]
  if (!next || row.status !== 'in_progress') return undefined
  const time = next.time === null ? '' : ` ${next.time} น.`
  return {
    text: `${next.what} ${formatThaiDateShortOrOriginal(next.day)}${time} · ${formatDaysAndWorkingDaysLeft(next.day, today)}${next.note === undefined ? '' : ` · ${next.note}`}`,
    isUrgent: getDeadlineUrgency(countDaysBetween(today, next.day)) === 'urgent',
  }
}

const PRIORITY_FIELDS = [
  'submission_end_date',
  'draft_discussion_end_date',
  'movement',
  'status',
  'budget',
  'estimate_budget',
]
const placeOf = (field: string) => PRIORITY_FIELDS.indexOf(field) + 1 || PRIORITY_FIELDS.length + 1
const INVITATION_FIELDS = [
  'submission_end_date',
  'submission_time',
  'bidding_invite_date',
  'draft_discussion_end_date',
  'draft_published_date',
]

function changeLines(changes: readonly ProjectFieldChange[], section: MailSectionName): ReportMailRow['changes'] {
  return changes
    .filter(({ field, old }) => !(old === null && INVITATION_FIELDS.includes(field)))
    .filter(({ field }) => section !== 'results' || !RESULT_FIELDS.includes(field))
    .toSorted((a, b) => placeOf(a.field) - placeOf(b.field))
    .map((change) => {
      const words = formatFieldChange({ ...change, seen_at: '' })
      // Attachments change only when files are added, never by replacement, so show the change as new files.
      const field = change.field === 'attachments' ? 'ไฟล์ใหม่' : words.field
      return {
        field,
        old: change.old === null ? undefined : truncate(words.old, MAX_VALUE_LENGTH),
        new: truncate(words.new, MAX_VALUE_LENGTH),
      }
    })
}

function resultOf(row: ReportRow): string | undefined {
  if (row.winner_name === null) return undefined
  const otherWinners = row.winner_count > 1 ? ` และอีก ${row.winner_count - 1} ราย` : ''
  const price = row.winner_budget === null ? '' : ` · ${bahtText(row.winner_budget)}`
  return `ผู้ชนะ ${row.winner_name}${otherWinners}${price}${discountText(row)}`
}

/**
 * Names what the discount is relative to: discounts against the budget and against the reference price must not be
 * confused (D20).
 */
function discountText(row: ReportRow): string {
  const discount = calculateDiscount(row)
  if (!discount) return ''
  const percent = `${Math.abs(discount.rate * 100).toFixed(1)}%`
  const base = discount.against === 'reference' ? 'ราคากลาง' : 'งบประมาณ'
  return discount.rate >= 0 ? ` · ต่ำกว่า${base} ${percent}` : ` · สูงกว่า${base} ${percent}`
}
