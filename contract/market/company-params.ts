import {
  formatQueryParams,
  type IgnoredQueryParam,
  parseQueryParams,
  type QueryParam,
  rejectInvertedYears,
  type SearchFromQueryParams,
} from '../http/query-params.ts'
import { findProvinceByName, regionUrlListAbbreviator } from '../thai/province.ts'

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
export const COMPANY_PROJECT_SORT_FIELDS = ['decided_date', 'value', 'estimate_budget', 'discount', 'name'] as const
const ORDERINGS = [
  '-value',
  'value',
  ...COMPANY_SORT_FIELDS.filter((field) => field !== 'value').flatMap((field) => [`-${field}`, field]),
]

export const COMPANY_COMPARISON_TABS = ['summary', 'common', 'prices', 'departments', 'mix', 'timeline'] as const
export type CompanyComparisonTab = (typeof COMPANY_COMPARISON_TABS)[number]

const isId = (value: string) => /^[1-9]\d{0,8}$/.test(value)
const isProvince = (value: string) => findProvinceByName(value) !== undefined

export const COMPANY_PARAMS = [
  { name: 'scope', kind: 'choice', th: 'ขอบเขต', of: ['all', 'watch'] },
  /** Companies by name or 13-digit tax id. `GET /companies` matches any part of the normalised name. */
  { name: 'project_winner_name__in', kind: 'list', th: 'บริษัท' },
  { name: 'year_from', kind: 'year', th: 'ตั้งแต่ปีงบประมาณ' },
  { name: 'year_to', kind: 'year', th: 'ถึงปีงบประมาณ' },
  { name: 'project_dept_sub__in', kind: 'list', th: 'หน่วยงาน' },
  {
    name: 'project_province__in',
    kind: 'list',
    th: 'จังหวัดของโครงการ',
    accepts: isProvince,
    groups: regionUrlListAbbreviator,
  },
  { name: 'project_method__in', kind: 'list', th: 'วิธีจัดหา' },
  { name: 'project_method_type__in', kind: 'list', th: 'ประเภทการจัดหา' },
  /** Ids of keyword groups. The result contains only report projects matched by a keyword of one of these groups. */
  { name: 'keyword_group__in', kind: 'list', th: 'กลุ่มคำติดตาม', accepts: isId },
  { name: 'company_value__range', kind: 'money', th: 'มูลค่าที่ชนะ' },
  { name: 'check_sme', kind: 'flag', th: 'SME' },
  { name: 'met', kind: 'flag', th: 'เคยพบกับเรา' },
  { name: 'ordering', kind: 'choice', th: 'เรียงตาม', of: ORDERINGS },
  { name: 'page', kind: 'count', th: 'หน้า', usual: '1' },
  { name: 'page_size', kind: 'size', th: 'จำนวนต่อหน้า', of: ['20', '50', '100'], usual: '50' },
  { name: 'common', kind: 'flag', th: 'เฉพาะโครงการที่พบกัน' },
  /** Name that marks the user's own company among the compared ones. */
  { name: 'us', kind: 'text', th: 'เรา' },
  /** Percentage above the lowest bid within which an SME is preferred. */
  { name: 'sme_band', kind: 'percent', th: 'แต้มต่อ SMEs', usual: '10' },
  { name: 'project_criteria_for_consideration', kind: 'list', th: 'เกณฑ์การพิจารณา' },
  { name: 'tab', kind: 'choice', th: 'มุมมอง', of: COMPANY_COMPARISON_TABS },
  /**
   * Order of the common projects, and whose departments are shown: `all`, `both`, or the 1-based index of a compared
   * company.
   */
  { name: 'common_order', kind: 'choice', th: 'เรียงโครงการที่พบกัน', of: ['-date', 'date', 'gap', '-gap'] },
  { name: 'departments_of', kind: 'choice', th: 'หน่วยงานของ', of: ['all', 'both', '1', '2', '3', '4', '5'] },
  /** Tax id that distinguishes companies with the same name (only /companies/{name}). */
  { name: 'tin', kind: 'text', th: 'เลขประจำตัวผู้เสียภาษี' },
  /**
   * Selected figure, as `kind:value`, such as `department:กรมทางหลวง`; its projects are listed below it (only
   * /companies/{name}).
   */
  { name: 'rows', kind: 'text', th: 'โครงการของตัวเลข' },
] as const satisfies readonly QueryParam[]

type CompanyParam = (typeof COMPANY_PARAMS)[number]
export type CompanySearch = SearchFromQueryParams<CompanyParam>
type CompanyParamName = CompanyParam['name']
export type IgnoredCompanyParam = IgnoredQueryParam

export const STATISTICS_SCOPE_PARAMS = [
  'scope',
  'year_from',
  'year_to',
  'project_dept_sub__in',
  'project_province__in',
  'project_method__in',
  'project_method_type__in',
  'keyword_group__in',
] as const satisfies readonly CompanyParamName[]
export type StatisticsScopeSearch = Pick<CompanySearch, (typeof STATISTICS_SCOPE_PARAMS)[number]>

export const COMPANY_PAGE_SIZES = [20, 50, 100] as const
export const COMPANY_DEFAULT_PAGE_SIZE = 50
export const MAX_COMPARED_COMPANIES = 5
/**
 * Ministerial regulation of 2020: an SME within this percentage of the lowest bid is preferred. The rules have changed
 * since, so a URL parameter can override the value.
 */
export const DEFAULT_SME_PREFERENCE_PERCENT = 10

export function parseCompanySearch(flat: Readonly<Record<string, string>>): {
  readonly search: CompanySearch
  readonly ignored: readonly IgnoredCompanyParam[]
} {
  return rejectInvertedYears(parseQueryParams<CompanyParam>(COMPANY_PARAMS, flat))
}

export function formatCompanySearch(search: CompanySearch): Record<string, string> {
  return formatQueryParams<CompanyParam>(COMPANY_PARAMS, search)
}

export function toStatisticsScopeSearch(search: CompanySearch): StatisticsScopeSearch {
  return Object.fromEntries(
    STATISTICS_SCOPE_PARAMS.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]])),
  )
}
