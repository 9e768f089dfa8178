import type { SavedFilterFieldName } from '../account/filter-criteria.ts'
import { REPORT_SORT_FIELDS } from '../catalogue/report-columns.ts'
import { parseDocumentSearchExpression } from '../documents/document-search-expression.ts'
import { FIT_ORDERING } from '../matching/fit.ts'
import { fitsSemanticSearchLimits } from '../search/deep-search.ts'
import { type ParsedSearch, parseSearchExpression } from '../search/search-grammar.ts'
import type { UrlListAbbreviator } from '../thai/province.ts'
import { parseIsoDate } from '../thai/thai-date.ts'

/** Values joined with `||`; a single leading `<<` means "is not". */
export type ListFilterValue = { readonly values: readonly string[]; readonly negated: boolean }
/** Range in baht, inclusive; null means no bound. Formatted as `min,max`. */
export type MoneyRange = { readonly min: number | null; readonly max: number | null }
/**
 * Inclusive range of dates; each end is an ISO date (`2026-11-21`), days from today (`@7`, `@-30`) or null for no
 * bound. Formatted as `from,to`.
 */
export type DateRange = { readonly from: string | null; readonly to: string | null }

export type ReportParamValues = {
  flag: true
  expression: string
  ids: readonly string[]
  sentences: readonly string[]
  list: ListFilterValue
  money: MoneyRange
  dates: DateRange
  ordering: string
  count: number
  text: string
}
export type ReportParamKind = keyof ReportParamValues

type FilterPanelPlacement = {
  readonly order: number
  /** Section that several filters share, or the filter whose section it joins; a filter without one has its own. */
  readonly section?: 'project_province__in' | 'project_change_status__in' | 'marks' | 'pursuit'
  /** Title of the filter's own section, and `text` of a flag's checkbox, if not its name. */
  readonly title?: string
  /** True for a filter that most users need: its section is always open. All other filters share one fold. */
  readonly isPrimary?: boolean
  /**
   * Number of options shown before the user requests more. `isInline`: all options are short words that fit in one
   * line.
   */
  readonly shortList?: number
  readonly isInline?: boolean
  readonly text?: string
  readonly hint?: string
}

export type ReportParam = {
  readonly name: string
  readonly kind: ReportParamKind
  readonly th: string
  /**
   * Set for parameters that are not filters: `view` only changes how the projects are shown, `tab` selects running or
   * delivered work, and `part` belongs to another filter.
   */
  readonly role?: 'view' | 'tab' | 'part'
  readonly owner?: 'user' | 'team'
  /** True if values derive from what the organisation declares about itself, such as its qualifications. */
  readonly isConfidential?: boolean
  /**
   * True for a temporary state of a tender or for later user actions: a tender starred in spring has a winner by autumn.
   * Filter recall leaves these filters out and lists them as left out.
   */
  readonly isTransient?: boolean
  /** True if the filter tests the progress of a project, which a cancellation changes. */
  readonly isProgress?: boolean
  /** True if the filter reads the organisation's matches or documents, so that it cannot apply to the whole market. */
  readonly readsMatches?: boolean
  /** True for a list with too many values to count with the other facets; `GET /projects/agencies` searches them. */
  readonly hasManyValues?: boolean
  /** True for a flag whose projects are not counted with the facets. */
  readonly isUncounted?: boolean
  readonly ceiling?: 'budget' | 'otherBudgets'
  readonly saved?: SavedFilterFieldName
  readonly accepts?: (value: string) => boolean
  readonly choices?: readonly { readonly code: string; readonly th: string }[]
  /** True if values beyond `choices` are valid, because the feed may introduce new ones. */
  readonly isOpen?: boolean
  readonly max?: number
  readonly maxLength?: number
  /** True for dates that projects have ahead of them, so that presets of the next days come first. */
  readonly isDeadline?: boolean
  readonly panel?: FilterPanelPlacement
  readonly groups?: UrlListAbbreviator
}

export const REPORT_PAGE_SIZES = [20, 50, 100] as const

/**
 * Maximum values per list, maximum value length and maximum page. A parameter beyond them is rejected, not truncated.
 */
const MAX_VALUES = 200
const MAX_VALUE_LENGTH = 200
const MAX_PAGE = 100_000
const MAX_BAHT = 10_000_000_000_000
const isIsoDate = (text: string) => parseIsoDate(text) !== undefined
const isDateBound = (text: string) => isIsoDate(text) || /^@-?\d{1,4}$/.test(text)
function splitValues(text: string, maxLength = MAX_VALUE_LENGTH): string[] | undefined {
  const values = [...new Set(text.split('||').map((value) => value.trim()))]
  const isWithinLimits =
    values.length <= MAX_VALUES && values.every((value) => value.length > 0 && value.length <= maxLength)
  return isWithinLimits ? values : undefined
}
function parseSides<T>(text: string, parsePart: (part: string) => T | undefined): [T | null, T | null] | undefined {
  const parts = text.split(',')
  if (parts.length !== 2) return undefined
  const [first, second] = parts.map((part) => (part.trim() === '' ? null : parsePart(part.trim())))
  if (first === undefined || second === undefined || (first === null && second === null)) return undefined
  return [first, second]
}
function parseBaht(text: string): number | undefined {
  if (!/^\d{1,14}(\.\d{1,2})?$/.test(text)) return undefined
  const value = Number(text)
  return value <= MAX_BAHT ? value : undefined
}

const isAccepted = (value: string, { accepts, choices, isOpen }: ReportParam) =>
  accepts ? accepts(value) : isOpen || !choices || choices.some(({ code }) => code === value)

export function parseReportExpression(name: string, text: string): ParsedSearch {
  if (name === 'document_text__in') return parseDocumentSearchExpression(text)
  return parseSearchExpression(text, name === 'project_search__in')
}

export const REPORT_PARAM_PARSERS: {
  [K in ReportParamKind]: (text: string, param: ReportParam) => ReportParamValues[K] | undefined
} = {
  flag: (text) => (text === 'true' ? true : undefined),
  expression: (text, { name }) => (parseReportExpression(name, text).ok ? text : undefined),
  ids: (text) => {
    const values = splitValues(text)
    return values?.every((value) => /^[0-9A-Za-z-]{1,32}$/.test(value)) ? values : undefined
  },
  sentences: (text) => {
    const values = splitValues(text)
    return values && fitsSemanticSearchLimits(values) ? values : undefined
  },
  list: (text, param) => {
    const negated = text.startsWith('<<')
    const listedValues = splitValues(negated ? text.slice(2) : text, param.maxLength)
    const values = listedValues && (param.groups?.open(listedValues) ?? listedValues)
    if (!values?.every((value) => isAccepted(value, param))) return undefined
    return { values, negated }
  },
  money: (text) => {
    const sides = parseSides(text, parseBaht)
    if (!sides) return undefined
    const [min, max] = sides
    return min !== null && max !== null && min > max ? undefined : { min, max }
  },
  dates: (text) => {
    const sides = parseSides(text, (part) => (isDateBound(part) ? part : undefined))
    if (!sides) return undefined
    const [from, to] = sides
    if (from && to && isIsoDate(from) && isIsoDate(to) && from > to) return undefined
    return { from, to }
  },
  ordering: (text) => {
    if (text === FIT_ORDERING) return text
    const field = text.startsWith('-') ? text.slice(1) : text
    return (REPORT_SORT_FIELDS as readonly string[]).includes(field) ? text : undefined
  },
  count: (text, param) => {
    if (!/^\d{1,6}$/.test(text)) return undefined
    const value = Number(text)
    if (param.name === 'page_size') return (REPORT_PAGE_SIZES as readonly number[]).includes(value) ? value : undefined
    return value >= 1 && value <= (param.max ?? MAX_PAGE) ? value : undefined
  },
  text: (text, { choices }) =>
    text.length <= MAX_VALUE_LENGTH && (choices?.some(({ code }) => code === text) ?? true) ? text : undefined,
}

export const REPORT_PARAM_FORMATTERS: {
  [K in ReportParamKind]: (value: ReportParamValues[K], param: ReportParam) => string
} = {
  flag: () => 'true',
  expression: (value) => value,
  ids: (value) => value.join('||'),
  sentences: (value) => value.join('||'),
  list: ({ values, negated }, { groups }) => `${negated ? '<<' : ''}${(groups?.close(values) ?? values).join('||')}`,
  money: ({ min, max }) => `${min ?? ''},${max ?? ''}`,
  dates: ({ from, to }) => `${from ?? ''},${to ?? ''}`,
  ordering: (value) => value,
  count: (value) => String(value),
  text: (value) => value,
}
