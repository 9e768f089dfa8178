import { isBudgetInDoubt, isEstimateInDoubt } from '#contract/catalogue/data-issue.ts'
import {
  AWARD_CRITERIA,
  getChoiceLabel,
  PROCUREMENT_METHODS,
  PROJECT_MOVEMENTS,
  PROJECT_STATUSES,
} from '#contract/catalogue/project.ts'
import { formatDaysLeft } from '#contract/catalogue/time-left.ts'
import { getDraftCommentNote } from '#contract/report/appeal.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { formatReportSearch, type ReportSearch } from '#contract/report/report-params.ts'
import { countDaysBetween, formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { formatBaht } from '#contract/thai/thai-number.ts'
import { formatPercent } from '#src/lib/figure-text.ts'
import { formatQueryString } from '#src/lib/flat-search-params.ts'
import { getProjectHref } from '#src/lib/project-url.ts'

/** Maximum projects per message: twenty are about 8,000 characters, more than anyone reads in a chat. */
export const MAX_PROJECTS_PER_LINE_MESSAGE = 20

const BANGKOK = 'กรุงเทพมหานคร'

const oneLine = (text: string) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim()

function locationText({ dept_sub_name, dept_name, dept_province, project_province }: ReportRow): string {
  const province = project_province ?? dept_province
  const names = dept_sub_name === dept_name || dept_name === '' ? [dept_sub_name] : [dept_sub_name, dept_name]
  const provinceText = province === null ? '' : province === BANGKOK ? province : `จ.${province}`
  return [names.filter(Boolean).map(oneLine).join(' '), provinceText].filter(Boolean).join(' · ')
}

function priceAgainstBudget({ budget, estimate_budget: estimate }: ReportRow): string {
  if (!budget || estimate === null) return ''
  const share = (budget - estimate) / budget
  if (Math.abs(share) < 0.0005) return ' (เท่างบ)'
  return ` (${share > 0 ? 'ต่ำกว่างบ' : 'สูงกว่างบ'} ${formatPercent(Math.abs(share))})`
}

const isHearingAhead = ({ draft_discussion_end_date: ends }: ReportRow, today: string) => ends !== null && ends >= today

const baht = (amount: number) => `${formatBaht(amount)} บาท`

/** Omits unknown values. `today` is the Bangkok date, ISO. */
export function formatProjectForLineChat(row: ReportRow, today: string): string {
  const isOpen = !row.is_archived && row.status === 'in_progress'
  const until = (label: string, iso: string | null, time?: string | null) =>
    iso !== null &&
    `${label}: ${formatThaiDateShortOrOriginal(iso)}${time ? ` ${time} น.` : ''}${isOpen ? ` (${formatDaysLeft(countDaysBetween(today, iso))})` : ''}`
  const otherWinners = row.winner_count > 1 ? ` และอีก ${row.winner_count - 1} ราย` : ''
  const lines = [
    oneLine(row.name),
    `เลขที่โครงการ ${row.project_id}`,
    locationText(row),
    isBudgetInDoubt(row) && 'งบประมาณ: น่าสงสัย',
    row.budget !== null && `งบประมาณ: ${baht(row.budget)}`,
    isEstimateInDoubt(row) && 'ราคากลาง: น่าสงสัย',
    row.estimate_budget !== null && `ราคากลาง: ${baht(row.estimate_budget)}${priceAgainstBudget(row)}`,
    isHearingAhead(row, today) && until('วิจารณ์ร่างถึง', row.draft_discussion_end_date),
    isOpen && isHearingAhead(row, today) && getDraftCommentNote(row.method, row.draft_discussion_end_date),
    until('ยื่นข้อเสนอถึง', row.submission_end_date, row.submission_time),
    `วิธีจัดหา: ${getChoiceLabel(PROCUREMENT_METHODS, row.method)}${row.criteria === 'no_data' ? '' : ` · ${getChoiceLabel(AWARD_CRITERIA, row.criteria)}`}`,
    row.status === 'in_progress'
      ? `ความเคลื่อนไหว: ${getChoiceLabel(PROJECT_MOVEMENTS, row.movement)}`
      : `สถานะ: ${getChoiceLabel(PROJECT_STATUSES, row.status)}`,
    row.winner_name !== null && `ผู้ชนะ: ${oneLine(row.winner_name)}${otherWinners}`,
    row.winner_budget !== null && `ราคาที่ชนะ: ${baht(row.winner_budget)}`,
  ]
  return lines.filter(Boolean).join('\n')
}

/**
 * Returns a URL that shows the projects regardless of the receiver's filters: for one project its page (which explains
 * if it is not in the receiver's report), otherwise the report filtered by ids.
 */
export function buildProjectsUrl(rows: readonly ReportRow[], origin: string): string {
  const [only, ...remaining] = rows
  if (only && remaining.length === 0) return `${origin}${getProjectHref(only.project_id)}`
  const search: ReportSearch = {
    project_id__in: rows.map((row) => row.project_id),
    ...(rows.every((row) => row.is_archived) ? { is_archived: true } : {}),
  }
  return `${origin}/report${formatQueryString(formatReportSearch(search))}`
}

export function buildLineMessage(
  rows: readonly ReportRow[],
  { origin, today }: { origin: string; today: string },
): string {
  const projects = rows.map(
    (row, index) => (rows.length === 1 ? '' : `${index + 1}. `) + formatProjectForLineChat(row, today),
  )
  const link = `ดูในตามงาน: ${buildProjectsUrl(rows, origin)}`
  return [projects.join('\n──────────\n'), link].join('\n\n')
}
