import { z } from 'zod/mini'
import { type FlatParam, type IgnoredFlatParam, parseFlat, printFlat, type SearchOf } from '../http/flat-params.ts'
import { boardFilters } from '../report/board-filters.ts'
import { DEADLINE_KIND_TEXTS, DEADLINE_KINDS, type DeadlineKind } from '../report/deadlines.ts'
import { parseReportSearch, printReportSearch, type ReportSearch } from '../report/report-params.ts'
import { readIsoDate } from '../thai/thai-date.ts'
import { DECISIONS } from './pursuit.ts'

/** The calendar of the projects that somebody follows: their deadlines, and the ends of their contracts. */

export const CALENDAR_KINDS = [...DEADLINE_KINDS, 'contract_end'] as const
export type CalendarKind = DeadlineKind | 'contract_end'

/** Short enough for a chip. */
export const CALENDAR_KIND_NAMES: Readonly<Record<CalendarKind, string>> = {
  comment: 'วิจารณ์ร่าง',
  question: 'ถามรายละเอียด',
  submission: 'ยื่นข้อเสนอ',
  result: 'ประกาศผล',
  appeal: 'อุทธรณ์ (ม. 117)',
  contract_end: 'สิ้นสุดสัญญา',
}

/** The date in words: `สิ้นสุดยื่นข้อเสนอ`, `สิ้นสุดสัญญา 3 ฉบับ`. */
export const calendarKindText = (kind: CalendarKind, contracts = 1): string =>
  kind !== 'contract_end'
    ? DEADLINE_KIND_TEXTS[kind].name
    : `${CALENDAR_KIND_NAMES.contract_end}${contracts > 1 ? ` ${contracts} ฉบับ` : ''}`

/** Most days of one answer: six weeks of a month with room to spare. */
export const MAX_CALENDAR_DAYS = 100
/** Most projects of one answer. */
export const MAX_CALENDAR_PROJECTS = 1_000

const money = z.nullable(z.number())

export const calendarEventSchema = z.object({
  /** The same for the same date of the same project, also after it was moved. */
  id: z.string(),
  project_id: z.string(),
  kind: z.enum(CALENDAR_KINDS),
  /** ISO date. */
  day: z.string(),
  /** `HH:mm` each, Bangkok; null where e-GP publishes a day alone. */
  time: z.nullable(z.object({ from: z.string(), to: z.string() })),
  /** Worked out by rule, not published. */
  is_estimate: z.boolean(),
  /** What the law lets follow for a bidder, with its clause; of ends of contracts, which contracts. Absent where there is nothing. */
  note: z.optional(z.string()),
  /** What the date belongs to was called off. */
  is_cancelled: z.boolean(),
  /** Of ends of contracts: how many contracts end on that day, or in that month where a project has very many. */
  contract_count: z.optional(z.number()),
})
export type CalendarEvent = z.output<typeof calendarEventSchema>

export const calendarProjectSchema = z.object({
  project_id: z.string(),
  name: z.string(),
  dept_name: z.string(),
  dept_sub_name: z.string(),
  province: z.nullable(z.string()),
  budget: money,
  is_starred: z.boolean(),
  /** What the organisation decided about it: to bid or not; null while it did not. */
  decision: z.nullable(z.enum(DECISIONS.map(({ code }) => code))),
  /** Name of the colleague who works on it. */
  owner: z.nullable(z.string()),
})
export type CalendarProject = z.output<typeof calendarProjectSchema>

/** `GET /calendar`: what falls on the days from `from` to `to`, both included, in the order of the days. */
export const calendarSchema = z.object({
  from: z.string(),
  to: z.string(),
  events: z.array(calendarEventSchema),
  /** Those that the events name. */
  projects: z.array(calendarProjectSchema),
  /** More projects have dates here than one answer names. */
  is_cut: z.boolean(),
})
export type Calendar = z.output<typeof calendarSchema>

/** Whose dates: starred or pursued, one of the two alone, or (`filter`) what a saved filter finds. */
export const CALENDAR_SOURCES = [
  { code: 'followed', th: 'ที่ติดดาวและงานของเรา' },
  { code: 'starred', th: 'ที่ติดดาว' },
  { code: 'pursued', th: 'งานของเรา' },
] as const
export type CalendarSourceCode = (typeof CALENDAR_SOURCES)[number]['code']
const SOURCE_CODES = CALENDAR_SOURCES.map(({ code }) => code)

/** Parameters of `GET /calendar`, beside any filters of the report by their own names: these outweigh `saved`, which outweighs `of`. */
export const CALENDAR_SOURCE_PARAMS = [
  { name: 'date__range', kind: 'dates', th: 'วันที่' },
  { name: 'of', kind: 'choice', th: 'โครงการ', of: SOURCE_CODES },
  { name: 'saved', kind: 'text', th: 'ตัวกรองที่บันทึก' },
] as const satisfies readonly FlatParam[]

export const CALENDAR_VIEWS = ['month', 'week', 'agenda'] as const
export type CalendarView = (typeof CALENDAR_VIEWS)[number]

/** The address of the screen: its own parameters, and any filters of the report by their own names. */
export const CALENDAR_PARAMS = [
  { name: 'view', kind: 'choice', th: 'มุมมอง', of: CALENDAR_VIEWS },
  /** ISO date: the day that is looked at, today when it is left out. */
  { name: 'day', kind: 'text', th: 'วัน' },
  { name: 'kind', kind: 'list', th: 'ชนิดของวัน', of: CALENDAR_KINDS },
  { name: 'of', kind: 'choice', th: 'โครงการ', of: SOURCE_CODES },
  /** Id of a saved filter; it outweighs `of`. */
  { name: 'saved', kind: 'text', th: 'ตัวกรองที่บันทึก' },
] as const satisfies readonly FlatParam[]
type Listed = (typeof CALENDAR_PARAMS)[number]
export type CalendarSearch = SearchOf<Listed> & {
  /** Filters of the report, without its tab, order and page; they outweigh `saved` and `of`. Absent when there are none. */
  readonly report?: ReportSearch
}

const isOwn = (name: string) => CALENDAR_PARAMS.some((own) => own.name === name)

/** Reads flat name → text pairs. Never throws; what it cannot read is named in `ignored`. */
export function parseCalendarSearch(flat: Readonly<Record<string, string>>): {
  readonly search: CalendarSearch
  readonly ignored: readonly IgnoredFlatParam[]
} {
  const pairs = Object.entries(flat)
  const own = parseFlat<Listed>(CALENDAR_PARAMS, Object.fromEntries(pairs.filter(([name]) => isOwn(name))))
  const found = parseReportSearch(Object.fromEntries(pairs.filter(([name]) => !isOwn(name))))
  const report = boardFilters(found.search)
  const ignored = [...own.ignored, ...found.ignored]
  const search: CalendarSearch = { ...own.search, ...(report && { report }) }
  const { day, ...rest } = search
  if (day === undefined || readIsoDate(day)) return { search, ignored }
  return { search: rest, ignored: [...ignored, { name: 'day', value: day, reason: 'invalid' }] }
}

/** Prints a search in catalogue order, the report's filters first, defaults left out. Reading it gives the same search. */
export function printCalendarSearch({ report = {}, ...own }: CalendarSearch): Record<string, string> {
  return { ...printReportSearch(report), ...printFlat<Listed>(CALENDAR_PARAMS, own) }
}

/** What a search asks of `GET /calendar`, besides its days. */
export function calendarQueryOf({ report, saved, of }: CalendarSearch): Record<string, string> {
  if (report) return printReportSearch(report)
  if (saved !== undefined) return { saved }
  return of === undefined ? {} : { of }
}
