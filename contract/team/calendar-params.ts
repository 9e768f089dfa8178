import {
  formatQueryParams,
  type IgnoredQueryParam,
  parseQueryParams,
  type QueryParam,
  type SearchFromQueryParams,
} from '../http/query-params.ts'
import { getBoardFilters } from '../report/board-filters.ts'
import { DEADLINE_KINDS } from '../report/deadline-kind.ts'
import { formatReportSearch, parseReportSearch, type ReportSearch } from '../report/report-params.ts'
import { parseIsoDate } from '../thai/thai-date.ts'

export const CALENDAR_SOURCES = [
  { code: 'followed', th: 'ที่ติดดาวและงานของเรา' },
  { code: 'starred', th: 'ที่ติดดาว' },
  { code: 'pursued', th: 'งานของเรา' },
] as const
export type CalendarSourceCode = (typeof CALENDAR_SOURCES)[number]['code']
const SOURCE_CODES = CALENDAR_SOURCES.map(({ code }) => code)

/** Parameters of `GET /calendar` besides report filters. Precedence: report filters, then `saved`, then `of`. */
export const CALENDAR_SOURCE_PARAMS = [
  { name: 'date__range', kind: 'dates', th: 'วันที่' },
  { name: 'of', kind: 'choice', th: 'โครงการ', of: SOURCE_CODES },
  { name: 'saved', kind: 'text', th: 'ตัวกรองที่บันทึก' },
] as const satisfies readonly QueryParam[]

const CALENDAR_VIEWS = ['month', 'week', 'agenda'] as const
export type CalendarView = (typeof CALENDAR_VIEWS)[number]

export const CALENDAR_PARAMS = [
  { name: 'view', kind: 'choice', th: 'มุมมอง', of: CALENDAR_VIEWS },
  { name: 'day', kind: 'text', th: 'วัน' },
  { name: 'kind', kind: 'list', th: 'ชนิดของวัน', of: DEADLINE_KINDS },
  { name: 'of', kind: 'choice', th: 'โครงการ', of: SOURCE_CODES },
  { name: 'saved', kind: 'text', th: 'ตัวกรองที่บันทึก' },
] as const satisfies readonly QueryParam[]
type CalendarParam = (typeof CALENDAR_PARAMS)[number]
export type CalendarSearch = SearchFromQueryParams<CalendarParam> & {
  readonly report?: ReportSearch
}

const isCalendarParam = (name: string) => CALENDAR_PARAMS.some((param) => param.name === name)

export function parseCalendarSearch(flat: Readonly<Record<string, string>>): {
  readonly search: CalendarSearch
  readonly ignored: readonly IgnoredQueryParam[]
} {
  const pairs = Object.entries(flat)
  const calendarResult = parseQueryParams<CalendarParam>(
    CALENDAR_PARAMS,
    Object.fromEntries(pairs.filter(([name]) => isCalendarParam(name))),
  )
  const reportResult = parseReportSearch(Object.fromEntries(pairs.filter(([name]) => !isCalendarParam(name))))
  const report = getBoardFilters(reportResult.search)
  const ignored = [...calendarResult.ignored, ...reportResult.ignored]
  const search: CalendarSearch = { ...calendarResult.search, ...(report && { report }) }
  const { day, ...searchWithoutDay } = search
  if (day === undefined || parseIsoDate(day)) return { search, ignored }
  return { search: searchWithoutDay, ignored: [...ignored, { name: 'day', value: day, reason: 'invalid' }] }
}

export function formatCalendarSearch({ report = {}, ...calendarSearch }: CalendarSearch): Record<string, string> {
  return { ...formatReportSearch(report), ...formatQueryParams<CalendarParam>(CALENDAR_PARAMS, calendarSearch) }
}

export function toCalendarQuery({ report, saved, of }: CalendarSearch): Record<string, string> {
  if (report) return formatReportSearch(report)
  if (saved !== undefined) return { saved }
  return of === undefined ? {} : { of }
}
