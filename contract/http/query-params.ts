import { parseSearchExpression } from '../search/search-grammar.ts'
import type { UrlListAbbreviator } from '../thai/province.ts'
import { parseIsoDate } from '../thai/thai-date.ts'
import { isTruncatedUrlValue } from './truncated-value.ts'

/**
 * Query parameters defined by a catalogue, with one parser and one formatter for the address bar and the API call.
 * Lists are joined with `||`, ranges are `min,max` or `from,to` with open ends, and defaults are omitted. (The report
 * has its own catalogue with negation and relative dates, report-params.ts.)
 */
type ValueOf = {
  flag: true
  list: readonly string[]
  /** Years are Buddhist, money is baht, dates are ISO; both ends of a range are inclusive. */
  year: number
  money: { readonly min: number | null; readonly max: number | null }
  dates: { readonly from: string | null; readonly to: string | null }
  percent: number
  choice: string
  count: number
  size: number
  text: string
  expression: string
}
type Kind = keyof ValueOf

export type QueryParam = {
  readonly name: string
  readonly kind: Kind
  readonly th: string
  readonly of?: readonly string[]
  readonly accepts?: (value: string) => boolean
  readonly groups?: UrlListAbbreviator
  /** Default value as written in the URL; a parameter with this value is omitted from the URL. */
  readonly usual?: string
}

export type SearchFromQueryParams<P extends QueryParam> = {
  readonly [Q in P as Q['name']]?: Q extends { kind: 'choice'; of: readonly (infer Value)[] }
    ? Value
    : ValueOf[Q['kind']]
}

const usualOf = ({ kind, of, usual }: QueryParam) => usual ?? (kind === 'choice' ? of?.[0] : undefined)

const PAGE_SIZES = ['10', '20', '50', '100']
const MAX_VALUES = 200
const MAX_LENGTH = 500
/** Largest value that a PostgreSQL int can store. */
const MAX_COUNT = 2_147_483_647
/** Maximum amount in baht: far above the largest Thai budget line, and exact in satang as a JavaScript number. */
const MAX_BAHT = 10_000_000_000_000

function parsePair<T>(text: string, parsePart: (part: string) => T | undefined): [T | null, T | null] | undefined {
  const parts = text.split(',').map((part) => (part.trim() === '' ? null : parsePart(part.trim())))
  const [first, second] = parts
  if (parts.length !== 2 || first === undefined || second === undefined) return undefined
  return first === null && second === null ? undefined : [first, second]
}

const baht = (text: string) =>
  /^\d{1,14}(\.\d{1,2})?$/.test(text) && Number(text) <= MAX_BAHT ? Number(text) : undefined
const isoDate = (text: string) => (parseIsoDate(text) ? text : undefined)

const PARSERS: { [K in Kind]: (text: string, param: QueryParam) => ValueOf[K] | undefined } = {
  flag: (text) => (text === 'true' || text === '1' ? true : undefined),
  list: (text, { of, accepts, groups }) => {
    const entries = [...new Set(text.split('||').map((value) => value.trim()))]
    const values = groups?.open(entries) ?? entries
    const isWithinLimits =
      entries.length <= MAX_VALUES && values.every((value) => value !== '' && value.length <= MAX_LENGTH)
    return isWithinLimits && values.every((value) => (of?.includes(value) ?? true) && (accepts?.(value) ?? true))
      ? values
      : undefined
  },
  year: (text) => (/^2[45]\d\d$/.test(text) ? Number(text) : undefined),
  money: (text) => {
    const [min, max] = parsePair(text, baht) ?? []
    if (min === undefined || max === undefined || (min !== null && max !== null && min > max)) return undefined
    return { min, max }
  },
  dates: (text) => {
    const [from, to] = parsePair(text, isoDate) ?? []
    if (from === undefined || to === undefined || (from !== null && to !== null && from > to)) return undefined
    return { from, to }
  },
  percent: (text) => (/^\d{1,2}(\.\d)?$/.test(text) && Number(text) <= 50 ? Number(text) : undefined),
  choice: (text, { of }) => (of?.includes(text) ? text : undefined),
  count: (text) => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : 0
    return value >= 1 && value <= MAX_COUNT ? value : undefined
  },
  size: (text, { of = PAGE_SIZES }) => (of.includes(text) ? Number(text) : undefined),
  text: (text) => (text.length <= MAX_LENGTH ? text : undefined),
  expression: (text) => (text.length <= MAX_LENGTH && parseSearchExpression(text).ok ? text : undefined),
}

function printValue(value: unknown, { groups }: QueryParam): string {
  if (Array.isArray(value)) return (groups?.close(value) ?? value).join('||')
  if (typeof value === 'object' && value !== null)
    return Object.values(value)
      .map((side) => side ?? '')
      .join(',')
  return String(value)
}

export type IgnoredQueryParam = {
  readonly name: string
  readonly value: string
  readonly reason: 'unknown' | 'invalid'
}

/**
 * Parses flat name → text pairs (percent-decoded once). Never throws. Lists unreadable parameters in `ignored`: the
 * browser shows a notice, and the server answers 400 to invalid values, so that a result is never widened silently.
 */
export function parseQueryParams<P extends QueryParam>(
  params: readonly P[],
  flat: Readonly<Record<string, string>>,
): { readonly search: SearchFromQueryParams<P>; readonly ignored: readonly IgnoredQueryParam[] } {
  const search: Record<string, unknown> = {}
  const ignored: IgnoredQueryParam[] = []
  for (const [name, value] of Object.entries(flat)) {
    const param = params.find((candidate) => candidate.name === name)
    if (!param) ignored.push({ name, value, reason: 'unknown' })
    else if (value !== '' && value !== usualOf(param)) {
      const parsed = isTruncatedUrlValue(value) ? undefined : PARSERS[param.kind](value, param)
      if (parsed === undefined) ignored.push({ name, value, reason: 'invalid' })
      else search[name] = parsed
    }
  }
  return { search: search as SearchFromQueryParams<P>, ignored }
}

/** Lists `year_to` in `ignored` if it is before `year_from`. */
export function rejectInvertedYears<Search extends { readonly year_from?: number; readonly year_to?: number }>(parsed: {
  readonly search: Search
  readonly ignored: readonly IgnoredQueryParam[]
}): typeof parsed {
  const { year_from: from, year_to: to, ...search } = parsed.search
  if (from === undefined || to === undefined || from <= to) return parsed
  return {
    search: { ...search, year_from: from } as Search,
    ignored: [...parsed.ignored, { name: 'year_to', value: String(to), reason: 'invalid' }],
  }
}

/**
 * Formats a search in catalogue order without defaults, so equal searches give equal URLs. Parsing the result gives the
 * same search.
 */
export function formatQueryParams<P extends QueryParam>(
  params: readonly P[],
  search: SearchFromQueryParams<P>,
): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const param of params) {
    const value = (search as Readonly<Record<string, unknown>>)[param.name]
    if (value === undefined) continue
    const text = printValue(value, param)
    if (text !== usualOf(param)) flat[param.name] = text
  }
  return flat
}
