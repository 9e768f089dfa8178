import { type FlatParam, type IgnoredFlatParam, parseFlat, printFlat, type SearchOf } from '../http/flat-params.ts'
import { provinceNamed, regionGroups } from '../thai/province.ts'

/**
 * The query parameters of /companies, /companies/{name} and /company-comparison. Names are the report's where they mean the same.
 */

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

/** A positive number of the database. */
const isId = (value: string) => /^[1-9]\d{0,8}$/.test(value)
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
  { name: 'project_province__in', kind: 'list', th: 'จังหวัดของโครงการ', accepts: isProvince, groups: regionGroups },
  { name: 'project_method__in', kind: 'list', th: 'วิธีจัดหา' },
  { name: 'project_method_type__in', kind: 'list', th: 'ประเภทการจัดหา' },
  /** Groups of the organisation's watch words, by number: projects of its report that a word of one of them let in. */
  { name: 'keyword_group__in', kind: 'list', th: 'กลุ่มคำติดตาม', accepts: isId },
  /** Baht: what a company won in the scope. */
  { name: 'company_value__range', kind: 'money', th: 'มูลค่าที่ชนะ' },
  { name: 'check_sme', kind: 'flag', th: 'SME' },
  /** Companies that bid in projects which the user starred. */
  { name: 'met', kind: 'flag', th: 'เคยพบกับเรา' },
  { name: 'ordering', kind: 'choice', th: 'เรียงตาม', of: ORDERINGS },
  { name: 'page', kind: 'count', th: 'หน้า', usual: '1' },
  { name: 'page_size', kind: 'size', th: 'จำนวนต่อหน้า', of: ['20', '50', '100'], usual: '50' },
  { name: 'common', kind: 'flag', th: 'เฉพาะโครงการที่พบกัน' },
  /** Which of the compared companies is ours: its name or tax id as it stands in the list. */
  { name: 'us', kind: 'text', th: 'เรา' },
  /** Percent within which an SME is preferred to the lowest bid. */
  { name: 'sme_band', kind: 'percent', th: 'แต้มต่อ SMEs', usual: '10' },
  { name: 'project_criteria_for_consideration', kind: 'list', th: 'เกณฑ์การพิจารณา' },
  { name: 'tab', kind: 'choice', th: 'มุมมอง', of: COMPARISON_TABS },
  /** Order of the common projects, and whose departments are shown: `all`, `both`, or a compared company by its place from 1. */
  { name: 'common_order', kind: 'choice', th: 'เรียงโครงการที่พบกัน', of: ['-date', 'date', 'gap', '-gap'] },
  { name: 'departments_of', kind: 'choice', th: 'หน่วยงานของ', of: ['all', 'both', '1', '2', '3', '4', '5'] },
  /** Tax id, to distinguish companies of the same name (only /companies/{name}). */
  { name: 'tin', kind: 'text', th: 'เลขประจำตัวผู้เสียภาษี' },
  /** Which rows stand below a figure that was clicked (only /companies/{name}): `kind:value`, such as `department:กรมทางหลวง`. */
  { name: 'rows', kind: 'text', th: 'โครงการของตัวเลข' },
] as const satisfies readonly FlatParam[]

type Listed = (typeof COMPANY_PARAMS)[number]
/** The typed search of the three screens; an absent key is the default. */
export type CompanySearch = SearchOf<Listed>
export type CompanyParamName = Listed['name']
export type IgnoredCompanyParam = IgnoredFlatParam

/** Parameters that decide which projects figures are made of: the scope bar of all three screens. */
export const FIGURE_SCOPE_PARAMS = [
  'scope',
  'year_from',
  'year_to',
  'project_dept_sub__in',
  'project_province__in',
  'project_method__in',
  'project_method_type__in',
  'keyword_group__in',
] as const satisfies readonly CompanyParamName[]
export type FigureScopeSearch = Pick<CompanySearch, (typeof FIGURE_SCOPE_PARAMS)[number]>

export const COMPANY_PAGE_SIZES = [20, 50, 100] as const
export const COMPANY_DEFAULT_PAGE_SIZE = 50
/** A comparison holds from two to five; more in an address: the first five, and a notice. */
export const MOST_COMPARED = 5
/** Ministerial regulation of 2020: an SME within this much of the lowest bid is preferred. Rules changed since, so the address can say another. */
export const DEFAULT_SME_BAND = 10

/**
 * Reads flat name → text pairs. Never throws; what it cannot read is named in `ignored`. Years the wrong way round count as invalid.
 */
export function parseCompanySearch(flat: Readonly<Record<string, string>>): {
  readonly search: CompanySearch
  readonly ignored: readonly IgnoredCompanyParam[]
} {
  const { search, ignored } = parseFlat<Listed>(COMPANY_PARAMS, flat)
  const { year_from: from, year_to: to, ...rest } = search
  if (from === undefined || to === undefined || from <= to) return { search, ignored }
  return {
    search: { ...rest, year_from: from },
    ignored: [...ignored, { name: 'year_to', value: String(to), reason: 'invalid' }],
  }
}

/** Prints a search in catalogue order, defaults left out. Reading it gives the same search. */
export function printCompanySearch(search: CompanySearch): Record<string, string> {
  return printFlat<Listed>(COMPANY_PARAMS, search)
}

/** The part of a search that decides which projects figures are made of. */
export function figureScopeOf(search: CompanySearch): FigureScopeSearch {
  return Object.fromEntries(
    FIGURE_SCOPE_PARAMS.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]])),
  )
}
