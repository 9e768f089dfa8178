import type { Label } from '../account/label.ts'
import { formatMoneyRange } from '../thai/money-text.ts'
import { separateCompleteRegions } from '../thai/province.ts'
import { formatThaiDateShortOrOriginal, getFiscalYear, getFiscalYearRange } from '../thai/thai-date.ts'
import { REPORT_DATE_PRESETS } from './report.ts'
import {
  getReportListFilterChoiceLabel,
  type ReportListParamName,
  type TeamFilterNames,
} from './report-list-filter-choices.ts'
import type { DateRange, ListFilterValue } from './report-param-kinds.ts'
import {
  findReportParam,
  getActiveReportFilters,
  REPORT_TEAM_PARAMS,
  type ReportParamName,
  type ReportSearch,
} from './report-params.ts'

export type FilterDisplayText = {
  readonly label: string
  readonly value: string
  readonly negated: boolean
}

const MAX_NAMED_VALUES = 2

function valueNames(
  name: ReportListParamName,
  values: readonly string[],
  labels: readonly Label[],
  team?: TeamFilterNames,
): string[] {
  if (!findReportParam(name).groups)
    return [...new Set(values.map((value) => getReportListFilterChoiceLabel(name, value, labels, team)))]
  const { whole: regions, rest: remainder } = separateCompleteRegions(values)
  return [...regions.map(({ th }) => th), ...remainder]
}

function listText(
  name: ReportListParamName,
  { values }: ListFilterValue,
  labels: readonly Label[],
  team?: TeamFilterNames,
): string {
  const names = valueNames(name, values, labels, team)
  const omittedCount = names.length - MAX_NAMED_VALUES
  // If only one name would be omitted, it is listed instead, because "และอีก 1" saves little space.
  return omittedCount > 1 ? `${names.slice(0, MAX_NAMED_VALUES).join(', ')} และอีก ${omittedCount}` : names.join(', ')
}

const isRelative = (side: string) => side.startsWith('@')

export function formatRelativeDate(side: string): string {
  const days = Number(side.slice(1))
  if (days === 0) return 'วันนี้'
  return days > 0 ? `อีก ${days} วัน` : `${-days} วันก่อน`
}
const sideText = (side: string) => (isRelative(side) ? formatRelativeDate(side) : formatThaiDateShortOrOriginal(side))

export function formatDateRange({ from, to }: DateRange): string {
  const preset = REPORT_DATE_PRESETS.find(({ value }) => value === `${from ?? ''},${to ?? ''}`)
  if (preset) return preset.th
  if (from === null)
    return to === null
      ? 'ทั้งหมด'
      : isRelative(to)
        ? `ไม่เกิน${formatRelativeDate(to)}`
        : `ถึง ${formatThaiDateShortOrOriginal(to)}`
  if (to === null) return `ตั้งแต่ ${sideText(from)}`
  if (from === to) return sideText(from)
  if (!isRelative(from)) {
    const year = getFiscalYear(from)
    const days = getFiscalYearRange(year)
    if (days.from === from && days.to === to) return `ปีงบประมาณ ${year}`
  }
  return `${sideText(from)} – ${sideText(to)}`
}

export const usesTeamFilterNames = (search: ReportSearch): boolean =>
  REPORT_TEAM_PARAMS.some((name) => search[name] !== undefined && findReportParam(name).kind === 'list')

export function formatFilterParam(
  name: ReportParamName,
  search: ReportSearch,
  labels: readonly Label[],
  team?: TeamFilterNames,
): FilterDisplayText | undefined {
  const param = findReportParam(name)
  const value = search[name]
  if (value === undefined) return undefined
  const words = (text: string, negated = false): FilterDisplayText => ({ label: param.th, value: text, negated })
  switch (param.kind) {
    case 'flag':
      return { label: '', value: param.th, negated: false }
    case 'list': {
      const list = value as ListFilterValue
      return words(listText(name as ReportListParamName, list, labels, team), list.negated)
    }
    case 'money':
      return words(formatMoneyRange(value as { min: number | null; max: number | null }))
    case 'dates':
      return words(formatDateRange(value as DateRange))
    case 'ids':
    case 'sentences': {
      const values = value as readonly string[]
      const closer = name === 'ai_deep_search__in' && search.ai_deep_from ? ` ใกล้เคียง ${search.ai_deep_from}% ขึ้นไป` : ''
      return words((values.length > MAX_NAMED_VALUES + 1 ? `${values.length} รายการ` : values.join(', ')) + closer)
    }
    case 'count':
      return words(`ใน ${value} วัน${search.is_archived ? '' : ' ทั้งสองแท็บ'}`)
    default:
      return words(String(value))
  }
}

/**
 * Returns the same texts as the filter chips. They name the archived scope, because it is saved with the
 * filters.
 */
export function getSearchFilterTexts(
  search: ReportSearch,
  labels: readonly Label[],
  team?: TeamFilterNames,
): FilterDisplayText[] {
  const tab = search.is_archived ? [{ label: '', value: findReportParam('is_archived').th, negated: false }] : []
  return [
    ...tab,
    ...getActiveReportFilters(search).flatMap((name) => formatFilterParam(name, search, labels, team) ?? []),
  ]
}

const OPERATOR_WORDS: readonly (readonly [string, string])[] = [
  ['||', ' หรือ '],
  ['##', ' และ '],
  ['<<', ' ไม่รวม '],
]

/** Replaces operators by words: `กล้อง||CCTV<<ซ่อม` becomes `กล้อง หรือ CCTV ไม่รวม ซ่อม`. */
export const spellOutSearchOperators = (text: string) =>
  OPERATOR_WORDS.reduce((result, [operator, word]) => result.replaceAll(operator, word), text)
    .replace(/\s+/g, ' ')
    .trim()
