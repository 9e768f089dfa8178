import { provinceNamed } from './province.ts'

/**
 * The query parameters of /companies, /companies/{name} and /company-comparison, one parser and one printer for the address bar and the API
 * call. Names are the report's where they mean the same; lists are joined with `||`, ranges `min,max`; defaults are left out.
 */
type ValueOf = {
  flag: true
  list: readonly string[]
  year: number
  money: { readonly min: number | null; readonly max: number | null }
  percent: number
  choice: string
  count: number
  text: string
}
type Kind = keyof ValueOf
type Param = {
  readonly name: string
  readonly kind: Kind
  /** Thai name of the filter, as chips and notices say it. */
  readonly th: string
  /** Values that can occur; the first is the default of a choice and is left out of the address. */
  readonly of?: readonly string[]
  readonly accepts?: (value: string) => boolean
}

/** Figures a list of companies is sorted by; a minus in front begins with the largest. */
export const COMPANY_SORT_FIELDS = [
  'wins',
  'value',
  'bids',
  'win_rate',
  'weighted_discount',
  'median_discount',
  'departments',
  'last_win',
  'name',
] as const
const ORDERINGS = [
  '-value',
  'value',
  ...COMPANY_SORT_FIELDS.filter((field) => field !== 'value').flatMap((field) => [`-${field}`, field]),
]

/** Tabs of a comparison; on a wide screen some stand side by side. */
export const COMPARISON_TABS = ['summary', 'common', 'prices', 'departments', 'mix', 'timeline'] as const
export type ComparisonTab = (typeof COMPARISON_TABS)[number]

const isProvince = (value: string) => provinceNamed(value) !== undefined

export const COMPANY_PARAMS = [
  /** What figures are about: every project that was loaded, or those of the organisation's report. */
  { name: 'scope', kind: 'choice', th: 'ขอบเขต', of: ['all', 'watch'] },
  /** Companies by name or 13-digit tax id. In the list: any part of the name, in its search form. */
  { name: 'project_winner_name__in', kind: 'list', th: 'บริษัท' },
  { name: 'year_from', kind: 'year', th: 'ตั้งแต่ปีงบประมาณ' },
  { name: 'year_to', kind: 'year', th: 'ถึงปีงบประมาณ' },
  /** Exact names of departments or of their units. */
  { name: 'project_dept_sub__in', kind: 'list', th: 'หน่วยงาน' },
  { name: 'project_province__in', kind: 'list', th: 'จังหวัดของโครงการ', accepts: isProvince },
  { name: 'project_method__in', kind: 'list', th: 'วิธีจัดหา' },
  { name: 'project_method_type__in', kind: 'list', th: 'ประเภทการจัดหา' },
  /** Baht: what a company won in the scope. */
  { name: 'company_value__range', kind: 'money', th: 'มูลค่าที่ชนะ' },
  { name: 'check_sme', kind: 'flag', th: 'SME' },
  /** Companies that bid in projects which the user starred. */
  { name: 'met', kind: 'flag', th: 'เคยพบกับเรา' },
  { name: 'ordering', kind: 'choice', th: 'เรียงตาม', of: ORDERINGS },
  { name: 'page', kind: 'count', th: 'หน้า' },
  { name: 'page_size', kind: 'count', th: 'จำนวนต่อหน้า' },
  { name: 'common', kind: 'flag', th: 'เฉพาะโครงการที่พบกัน' },
  /** Which of the compared companies is ours: its name or tax id as it stands in the list. */
  { name: 'us', kind: 'text', th: 'เรา' },
  /** Percent within which an SME is preferred to the lowest bid. */
  { name: 'sme_band', kind: 'percent', th: 'แต้มต่อ SMEs' },
  { name: 'project_criteria_for_consideration', kind: 'list', th: 'เกณฑ์การพิจารณา' },
  { name: 'tab', kind: 'choice', th: 'มุมมอง', of: COMPARISON_TABS },
  /** Order of the common projects, and whose departments are shown: `all`, `both`, or a compared company by its place from 1. */
  { name: 'common_order', kind: 'choice', th: 'เรียงโครงการที่พบกัน', of: ['-date', 'date', 'gap', '-gap'] },
  { name: 'departments_of', kind: 'choice', th: 'หน่วยงานของ', of: ['all', 'both', '1', '2', '3', '4', '5'] },
  /** Tax id that tells two companies of one name apart (only /companies/{name}). */
  { name: 'tin', kind: 'text', th: 'เลขประจำตัวผู้เสียภาษี' },
  /** Which rows stand below a figure that was clicked (only /companies/{name}): `kind:value`, such as `department:กรมทางหลวง`. */
  { name: 'rows', kind: 'text', th: 'โครงการของตัวเลข' },
] as const satisfies readonly Param[]

type Listed = (typeof COMPANY_PARAMS)[number]
/** The typed search of the three screens; an absent key is the default. */
export type CompanySearch = { readonly [P in Listed as P['name']]?: ValueOf[P['kind']] }
export type CompanyParamName = Listed['name']

/** Parameters that decide which projects figures are made of: the scope bar of all three screens. */
export const FIGURE_SCOPE_PARAMS = [
  'scope',
  'year_from',
  'year_to',
  'project_dept_sub__in',
  'project_province__in',
  'project_method__in',
  'project_method_type__in',
] as const satisfies readonly CompanyParamName[]
export type FigureScopeSearch = Pick<CompanySearch, (typeof FIGURE_SCOPE_PARAMS)[number]>

export const COMPANY_PAGE_SIZES = [20, 50, 100] as const
export const COMPANY_DEFAULT_PAGE_SIZE = 50
/** A comparison holds from two to five; more in an address: the first five, and a notice. */
export const MOST_COMPARED = 5
/** Ministerial regulation of 2020: an SME within this much of the lowest bid is preferred. Rules changed since, so the address can say another. */
export const DEFAULT_SME_BAND = 10

const MAX_VALUES = 200
const MAX_LENGTH = 300
const MAX_PAGE = 100_000
const MAX_BAHT = 10_000_000_000_000
const BY_NAME: ReadonlyMap<string, Param> = new Map(COMPANY_PARAMS.map((param) => [param.name, param]))

const baht = (text: string) => {
  if (text.trim() === '') return null
  return /^\d{1,14}(\.\d{1,2})?$/.test(text) && Number(text) <= MAX_BAHT ? Number(text) : undefined
}

const PARSERS: { [K in Kind]: (text: string, param: Param) => ValueOf[K] | undefined } = {
  flag: (text) => (text === 'true' || text === '1' ? true : undefined),
  list: (text, { accepts }) => {
    const values = [...new Set(text.split('||').map((value) => value.trim()))]
    const fits = values.length <= MAX_VALUES && values.every((value) => value !== '' && value.length <= MAX_LENGTH)
    return fits && values.every((value) => accepts?.(value) ?? true) ? values : undefined
  },
  year: (text) => (/^2[45]\d\d$/.test(text) ? Number(text) : undefined),
  money: (text) => {
    const sides = text.split(',').map(baht)
    const [min, max] = sides
    if (sides.length !== 2 || min === undefined || max === undefined || (min === null && max === null)) return undefined
    return min !== null && max !== null && min > max ? undefined : { min, max }
  },
  percent: (text) => (/^\d{1,2}(\.\d)?$/.test(text) && Number(text) <= 50 ? Number(text) : undefined),
  choice: (text, { of }) => (of?.includes(text) ? text : undefined),
  count: (text, { name }) => {
    const value = /^\d{1,6}$/.test(text) ? Number(text) : 0
    if (name === 'page_size') return (COMPANY_PAGE_SIZES as readonly number[]).includes(value) ? value : undefined
    return value >= 1 && value <= MAX_PAGE ? value : undefined
  },
  text: (text) => (text.length <= MAX_LENGTH ? text : undefined),
}

const isDefault = ({ name, of }: Param, text: string) =>
  of?.[0] === text ||
  (name === 'page' && text === '1') ||
  (name === 'page_size' && text === String(COMPANY_DEFAULT_PAGE_SIZE)) ||
  (name === 'sme_band' && text === String(DEFAULT_SME_BAND))

function print(value: unknown): string {
  if (Array.isArray(value)) return value.join('||')
  if (typeof value === 'object' && value !== null) {
    const { min, max } = value as ValueOf['money']
    return `${min ?? ''},${max ?? ''}`
  }
  return String(value)
}

export type IgnoredCompanyParam = {
  readonly name: string
  readonly value: string
  readonly reason: 'unknown' | 'invalid'
}

/**
 * Reads flat name → text pairs (percent-decoded once). Never throws. What it cannot read is named in `ignored`: the browser shows that as a
 * notice, the server answers 400 for invalid values, so that nothing is widened in silence. Years the wrong way round count as invalid.
 */
export function parseCompanySearch(flat: Readonly<Record<string, string>>): {
  readonly search: CompanySearch
  readonly ignored: readonly IgnoredCompanyParam[]
} {
  const search: Record<string, unknown> = {}
  const ignored: IgnoredCompanyParam[] = []
  for (const [name, value] of Object.entries(flat)) {
    const param = BY_NAME.get(name)
    if (!param) ignored.push({ name, value, reason: 'unknown' })
    else if (value !== '' && !isDefault(param, value)) {
      const parsed = PARSERS[param.kind](value, param)
      if (parsed === undefined) ignored.push({ name, value, reason: 'invalid' })
      else search[name] = parsed
    }
  }
  const { year_from: from, year_to: to } = search as CompanySearch
  if (from !== undefined && to !== undefined && from > to) {
    delete search['year_to']
    ignored.push({ name: 'year_to', value: String(to), reason: 'invalid' })
  }
  return { search: search as CompanySearch, ignored }
}

/** Prints a search in catalogue order, defaults left out: equal searches give equal addresses. Reading it gives the same search. */
export function printCompanySearch(search: CompanySearch): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const param of COMPANY_PARAMS as readonly Param[]) {
    const value = search[param.name as CompanyParamName]
    if (value === undefined) continue
    const text = print(value)
    if (!isDefault(param, text)) flat[param.name] = text
  }
  return flat
}

/** The part of a search that decides which projects figures are made of. */
export function figureScopeOf(search: CompanySearch): FigureScopeSearch {
  return Object.fromEntries(
    FIGURE_SCOPE_PARAMS.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]])),
  )
}
