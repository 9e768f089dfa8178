import { type FlatParam, type IgnoredFlatParam, parseFlat, printFlat, type SearchOf } from '../http/flat-params.ts'
import { provinceNamed, regionGroups } from '../thai/province.ts'

/** Names match the report's where the meaning is the same. */

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

/** Tabs of a comparison; wide screens show some of them side by side. */
export const COMPARISON_TABS = ['summary', 'common', 'prices', 'departments', 'mix', 'timeline'] as const
export type ComparisonTab = (typeof COMPARISON_TABS)[number]

const isId = (value: string) => /^[1-9]\d{0,8}$/.test(value)
const isProvince = (value: string) => provinceNamed(value) !== undefined

export const COMPANY_PARAMS = [
  /** Every loaded project, or only those of the organisation's report. */
  { name: 'scope', kind: 'choice', th: 'ขอบเขต', of: ['all', 'watch'] },
  /** Companies by name or 13-digit tax id. The list matches any part of the normalised name. */
  { name: 'project_winner_name__in', kind: 'list', th: 'บริษัท' },
  { name: 'year_from', kind: 'year', th: 'ตั้งแต่ปีงบประมาณ' },
  { name: 'year_to', kind: 'year', th: 'ถึงปีงบประมาณ' },
  { name: 'project_dept_sub__in', kind: 'list', th: 'หน่วยงาน' },
  { name: 'project_province__in', kind: 'list', th: 'จังหวัดของโครงการ', accepts: isProvince, groups: regionGroups },
  { name: 'project_method__in', kind: 'list', th: 'วิธีจัดหา' },
  { name: 'project_method_type__in', kind: 'list', th: 'ประเภทการจัดหา' },
  /** Ids of watch-word groups: projects of the report matched by a word in one of them. */
  { name: 'keyword_group__in', kind: 'list', th: 'กลุ่มคำติดตาม', accepts: isId },
  { name: 'company_value__range', kind: 'money', th: 'มูลค่าที่ชนะ' },
  { name: 'check_sme', kind: 'flag', th: 'SME' },
  { name: 'met', kind: 'flag', th: 'เคยพบกับเรา' },
  { name: 'ordering', kind: 'choice', th: 'เรียงตาม', of: ORDERINGS },
  { name: 'page', kind: 'count', th: 'หน้า', usual: '1' },
  { name: 'page_size', kind: 'size', th: 'จำนวนต่อหน้า', of: ['20', '50', '100'], usual: '50' },
  { name: 'common', kind: 'flag', th: 'เฉพาะโครงการที่พบกัน' },
  /** Our company among the compared ones: name or tax id as in the list. */
  { name: 'us', kind: 'text', th: 'เรา' },
  /** Percentage above the lowest bid within which an SME is preferred. */
  { name: 'sme_band', kind: 'percent', th: 'แต้มต่อ SMEs', usual: '10' },
  { name: 'project_criteria_for_consideration', kind: 'list', th: 'เกณฑ์การพิจารณา' },
  { name: 'tab', kind: 'choice', th: 'มุมมอง', of: COMPARISON_TABS },
  /**
   * Order of the common projects, and whose departments are shown: `all`, `both`, or the 1-based index of a compared
   * company.
   */
  { name: 'common_order', kind: 'choice', th: 'เรียงโครงการที่พบกัน', of: ['-date', 'date', 'gap', '-gap'] },
  { name: 'departments_of', kind: 'choice', th: 'หน่วยงานของ', of: ['all', 'both', '1', '2', '3', '4', '5'] },
  /** Tax id, to distinguish companies with the same name (only /companies/{name}). */
  { name: 'tin', kind: 'text', th: 'เลขประจำตัวผู้เสียภาษี' },
  /**
   * Selected figure whose projects are listed below it (only /companies/{name}): `kind:value`, such as
   * `department:กรมทางหลวง`.
   */
  { name: 'rows', kind: 'text', th: 'โครงการของตัวเลข' },
] as const satisfies readonly FlatParam[]

type Listed = (typeof COMPANY_PARAMS)[number]
export type CompanySearch = SearchOf<Listed>
export type CompanyParamName = Listed['name']
export type IgnoredCompanyParam = IgnoredFlatParam

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
/** With more companies in an address, the first five are compared and a notice is shown. */
export const MOST_COMPARED = 5
/**
 * Ministerial regulation of 2020: an SME within this percentage of the lowest bid is preferred. The rules have changed
 * since, so the address can override it.
 */
export const DEFAULT_SME_BAND = 10

/** A reversed year range is invalid. */
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

export function printCompanySearch(search: CompanySearch): Record<string, string> {
  return printFlat<Listed>(COMPANY_PARAMS, search)
}

export function figureScopeOf(search: CompanySearch): FigureScopeSearch {
  return Object.fromEntries(
    FIGURE_SCOPE_PARAMS.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]])),
  )
}
