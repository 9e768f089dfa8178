import { BID_STATES } from '../catalogue/bid-state.ts'
import { PROJECT_CHANGE_STATUSES, PROJECT_CRITERIA, PROJECT_STATUSES } from '../catalogue/project.ts'
import { isTruncatedUrlValue } from '../http/truncated-value.ts'
import { findProvinceByName, regionUrlListAbbreviator } from '../thai/province.ts'
import {
  REPORT_PARAM_FORMATTERS,
  REPORT_PARAM_PARSERS,
  type ReportParam,
  type ReportParamKind,
  type ReportParamValues,
} from './report-param-kinds.ts'
import { COMPANY_RANKINGS, REPORT_VIEWS } from './report-view.ts'

/**
 * The report's query parameters: one catalogue, parser and formatter for the address bar, the API call, saved filters
 * and email links. Names are the API's (specification section 7). Parameters are formatted in this order, so equal
 * filters give equal links; defaults are omitted.
 */

const oneOf = (choices: readonly { code: string }[]) => (value: string) =>
  choices.some((choice) => choice.code === value)
const isProvince = (value: string) => findProvinceByName(value) !== undefined

export const REPORT_PARAMS = [
  { name: 'is_archived', kind: 'flag', th: 'ส่งมอบแล้ว' },
  { name: 'project_bidding__in', kind: 'list', th: 'การยื่นข้อเสนอ', accepts: oneOf(BID_STATES) },
  // Not in the specification: searches the name, number, department and winner for each term.
  { name: 'project_search__in', kind: 'expression', th: 'คำค้น' },
  { name: 'project_name__in', kind: 'expression', th: 'ชื่อโครงการ' },
  { name: 'project_id__in', kind: 'ids', th: 'เลขที่โครงการ' },
  { name: 'project_dept_sub__in', kind: 'expression', th: 'หน่วยงาน' },
  { name: 'project_winner_name__in', kind: 'expression', th: 'ผู้ชนะ' },
  { name: 'document_text__in', kind: 'expression', th: 'ในเอกสาร' },
  { name: 'ai_deep_search__in', kind: 'sentences', th: 'ค้นตามความหมาย' },
  // Minimum similarity in percent; has no effect without ai_deep_search__in.
  { name: 'ai_deep_from', kind: 'count', th: 'ความใกล้เคียงอย่างน้อย', max: 100 },
  { name: 'project_change_status__in', kind: 'list', th: 'การเปลี่ยนแปลง', accepts: oneOf(PROJECT_CHANGE_STATUSES) },
  { name: 'project_status__in', kind: 'list', th: 'สถานะโครงการ', accepts: oneOf(PROJECT_STATUSES) },
  { name: 'project_movement__in', kind: 'list', th: 'ความเคลื่อนไหว' },
  { name: 'project_budget__range', kind: 'money', th: 'งบประมาณ' },
  { name: 'project_estimate_budget__range', kind: 'money', th: 'ราคากลาง' },
  { name: 'project_winner_budget__range', kind: 'money', th: 'ราคาที่ชนะ' },
  {
    name: 'project_province__in',
    kind: 'list',
    th: 'จังหวัดของโครงการ',
    accepts: isProvince,
    groups: regionUrlListAbbreviator,
  },
  {
    name: 'project_province_dept_sub__in',
    kind: 'list',
    th: 'จังหวัดของหน่วยงาน',
    accepts: isProvince,
    groups: regionUrlListAbbreviator,
  },
  { name: 'draft_published_date__range', kind: 'dates', th: 'วันประกาศร่าง' },
  { name: 'draft_discussion_end_date__range', kind: 'dates', th: 'สิ้นสุดวิจารณ์ร่าง' },
  { name: 'bidding_invite_date__range', kind: 'dates', th: 'วันประกาศเชิญชวน' },
  { name: 'submission_end_date__range', kind: 'dates', th: 'วันสิ้นสุดยื่นข้อเสนอ' },
  { name: 'winner_announce_date__range', kind: 'dates', th: 'วันประกาศผู้ชนะ' },
  { name: 'ends_within', kind: 'count', th: 'สัญญาสิ้นสุด', max: 730 },
  { name: 'project_method__in', kind: 'list', th: 'วิธีจัดหา' },
  { name: 'project_method_type__in', kind: 'list', th: 'ประเภทการจัดหา' },
  { name: 'project_criteria_for_consideration', kind: 'list', th: 'เกณฑ์การพิจารณา', accepts: oneOf(PROJECT_CRITERIA) },
  { name: 'check_sme', kind: 'flag', th: 'เปิดสิทธิ SME' },
  { name: 'project_bookmark', kind: 'flag', th: 'ติดดาว' },
  { name: 'project_label__in', kind: 'list', th: 'ป้ายกำกับ' },
  { name: 'project_hidden', kind: 'flag', th: 'ที่ซ่อนไว้' },
  { name: 'project_since_visit', kind: 'flag', th: 'ใหม่หรืออัปเดตตั้งแต่ครั้งก่อน' },
  { name: 'team_label__in', kind: 'list', th: 'ป้ายทีม', accepts: (value) => /^[^\s<>"'/\\]{1,120}$/.test(value) },
  { name: 'pursuit_stage__in', kind: 'list', th: 'ขั้นของงาน', accepts: (value) => /^[\w-]{1,40}$/.test(value) },
  { name: 'pursuit_owner__in', kind: 'list', th: 'ผู้ดูแล', accepts: (value) => /^(none|\d{1,9})$/.test(value) },
  { name: 'pursuit_has_notes', kind: 'flag', th: 'มีโน้ตของทีม' },
  { name: 'ordering', kind: 'ordering', th: 'เรียงตาม' },
  { name: 'page', kind: 'count', th: 'หน้า' },
  { name: 'page_size', kind: 'count', th: 'จำนวนต่อหน้า' },
  { name: 'saved', kind: 'text', th: 'ตัวกรองที่บันทึก' },
  { name: 'peek', kind: 'text', th: 'โครงการที่เปิดดูย่อ' },
  { name: 'queue', kind: 'flag', th: 'ไล่ดูรายการเช้านี้' },
  { name: 'view', kind: 'text', th: 'มุมมอง', choices: REPORT_VIEWS },
  { name: 'market', kind: 'flag', th: 'ทั้งตลาด' },
  { name: 'rank', kind: 'text', th: 'จัดอันดับตาม', choices: COMPANY_RANKINGS },
  { name: 'rows', kind: 'text', th: 'โครงการของตัวเลข' },
] as const satisfies readonly ReportParam[]

type CatalogueParam = (typeof REPORT_PARAMS)[number]
export type ReportParamName = CatalogueParam['name']
export type ReportSearch = {
  readonly [P in CatalogueParam as P['name']]?: P extends { choices: readonly { code: infer Code }[] }
    ? Code
    : ReportParamValues[P['kind']]
}
export type ReportParamNameOf<K extends ReportParamKind> = Extract<CatalogueParam, { kind: K }>['name']

export const REPORT_EXPRESSION_PARAMS = [
  'project_search__in',
  'project_name__in',
  'project_dept_sub__in',
  'project_winner_name__in',
  'document_text__in',
] as const satisfies readonly ReportParamNameOf<'expression'>[]

export const REPORT_VIEW_PARAMS: readonly ReportParamName[] = [
  'ordering',
  'page',
  'page_size',
  'saved',
  'peek',
  'queue',
  'view',
  'market',
  'rank',
  'rows',
]
/** Parameters whose meaning depends on the user; a shared link with one of them shows a notice. */
export const REPORT_PERSONAL_PARAMS: readonly ReportParamName[] = [
  'project_bookmark',
  'project_label__in',
  'project_hidden',
  'project_since_visit',
]
export const REPORT_DEFAULT_PAGE_SIZE = 50
/** Value of `project_label__in` and `team_label__in` for projects without such a label. */
export const NO_LABEL_VALUE = 'none'
/**
 * Value of `pursuit_stage__in` for projects that are not on the board, and of `pursuit_owner__in` for unassigned ones.
 */
export const NOT_PURSUED_VALUE = 'none'
/** Parameters about the team's work. They mean the same for all members and nothing to other organisations. */
export const TEAM_REPORT_PARAMS = [
  'team_label__in',
  'pursuit_stage__in',
  'pursuit_owner__in',
  'pursuit_has_notes',
] as const

const PARAM_BY_NAME: ReadonlyMap<string, ReportParam> = new Map(REPORT_PARAMS.map((param) => [param.name, param]))

export function isReportParam(name: string): name is ReportParamName {
  return PARAM_BY_NAME.has(name)
}

export function findReportParam(name: ReportParamName): ReportParam {
  return PARAM_BY_NAME.get(name)!
}
/** Formats the value of one parameter, without percent-encoding. */
export function formatReportParam<N extends ReportParamName>(name: N, value: NonNullable<ReportSearch[N]>): string {
  const param = findReportParam(name)
  return (REPORT_PARAM_FORMATTERS[param.kind] as (value: unknown, param: ReportParam) => string)(value, param)
}
const isDefault = (name: string, text: string) =>
  (name === 'page' && text === '1') ||
  (name === 'page_size' && text === String(REPORT_DEFAULT_PAGE_SIZE)) ||
  (name === 'is_archived' && text === 'false')
export type IgnoredReportParam = {
  readonly name: string
  readonly value: string
  readonly reason: 'unknown' | 'invalid'
}
export type ParsedReportSearch = { readonly search: ReportSearch; readonly ignored: readonly IgnoredReportParam[] }

/**
 * Parses flat name → text pairs (already percent-decoded once). Never throws. Lists unreadable parameters in `ignored`:
 * the browser shows a notice, and the server answers 400 to invalid values, so that a result is never widened silently.
 */
export function parseReportSearch(flat: Readonly<Record<string, string>>): ParsedReportSearch {
  const search: Record<string, unknown> = {}
  const ignored: IgnoredReportParam[] = []
  for (const [name, value] of Object.entries(flat)) {
    const param = PARAM_BY_NAME.get(name)
    if (!param) ignored.push({ name, value, reason: 'unknown' })
    else if (isDefault(name, value) || (value === '' && param.kind !== 'flag')) continue
    else {
      const parsed = isTruncatedUrlValue(value) ? undefined : REPORT_PARAM_PARSERS[param.kind](value, param)
      if (parsed === undefined) ignored.push({ name, value, reason: 'invalid' })
      else search[name] = parsed
    }
  }
  if (search.ai_deep_search__in === undefined) delete search.ai_deep_from
  return { search: search as ReportSearch, ignored }
}

/**
 * Formats a search as flat name → text pairs in catalogue order without defaults. `parseReportSearch` of the result
 * gives the same search, except that provinces of a complete region are in the region's order.
 */
export function formatReportSearch(search: ReportSearch): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const { name } of REPORT_PARAMS) {
    const value = search[name]
    if (value === undefined || (name === 'ai_deep_from' && search.ai_deep_search__in === undefined)) continue
    const text = formatReportParam(name, value)
    if (!isDefault(name, text)) flat[name] = text
  }
  return flat
}

export function getActiveReportFilters(search: ReportSearch): ReportParamName[] {
  return REPORT_PARAMS.map((param) => param.name).filter(
    (name) => search[name] !== undefined && !NON_FILTER_PARAMS.has(name) && !REPORT_VIEW_PARAMS.includes(name),
  )
}
/** Not counted as filters: `is_archived` is a tab, and `ai_deep_from` is part of another filter. */
const NON_FILTER_PARAMS: ReadonlySet<ReportParamName> = new Set(['is_archived', 'ai_deep_from'])

/**
 * Returns the search without bid states, for the winners view. Only awarded projects have a winner, so the report's
 * default `open` would leave nothing to count.
 */
export function omitBidStates({ project_bidding__in: _bidStates, ...search }: ReportSearch): ReportSearch {
  return search
}
