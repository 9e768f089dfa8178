import type { SavedFilterFieldName } from '../account/filter-criteria.ts'
import { BID_STATES } from '../catalogue/bid-state.ts'
import {
  AWARD_CRITERIA,
  PROCUREMENT_METHOD_TYPES,
  PROCUREMENT_METHODS,
  PROJECT_CHANGE_STATUSES,
  PROJECT_MOVEMENTS,
  PROJECT_STATUSES,
} from '../catalogue/project.ts'
import { isTruncatedUrlValue } from '../http/truncated-value.ts'
import { findProvinceByName, regionUrlListAbbreviator } from '../thai/province.ts'
import { ELIGIBILITY_VERDICTS } from './eligibility-verdict.ts'
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

const isProvince = (value: string) => findProvinceByName(value) !== undefined

/** Kinds whose value a saved filter stores in a field of `filterData.filter`; it stores the others as search chips. */
type SavedFieldKind = 'flag' | 'list' | 'money' | 'dates' | 'count'
type CatalogueEntry = ReportParam &
  (
    | { readonly role: 'view' }
    | { readonly kind: Exclude<ReportParamKind, SavedFieldKind> }
    | { readonly saved: SavedFilterFieldName }
  )

export const REPORT_PARAMS = [
  { name: 'is_archived', kind: 'flag', th: 'ส่งมอบแล้ว', role: 'tab', saved: 'isArchived' },
  {
    name: 'project_bidding__in',
    kind: 'list',
    th: 'การยื่นข้อเสนอ',
    choices: BID_STATES,
    isTransient: true,
    isProgress: true,
    saved: 'bidding',
  },
  // Not in the specification: searches the name, number, department and winner for each term.
  { name: 'project_search__in', kind: 'expression', th: 'คำค้น' },
  { name: 'project_name__in', kind: 'expression', th: 'ชื่อโครงการ' },
  { name: 'project_id__in', kind: 'ids', th: 'เลขที่โครงการ' },
  { name: 'project_dept_sub__in', kind: 'expression', th: 'หน่วยงาน' },
  { name: 'project_winner_name__in', kind: 'expression', th: 'ผู้ชนะ', isTransient: true },
  { name: 'document_text__in', kind: 'expression', th: 'ในเอกสาร', readsMatches: true },
  { name: 'ai_deep_search__in', kind: 'sentences', th: 'ค้นตามความหมาย', readsMatches: true },
  // Minimum similarity in percent; has no effect without ai_deep_search__in.
  { name: 'ai_deep_from', kind: 'count', th: 'ความใกล้เคียงอย่างน้อย', max: 100, role: 'part', saved: 'deepFrom' },
  {
    name: 'project_change_status__in',
    kind: 'list',
    th: 'การเปลี่ยนแปลง',
    choices: PROJECT_CHANGE_STATUSES,
    isTransient: true,
    isProgress: true,
    readsMatches: true,
    saved: 'changeStatus',
    panel: { order: 60, isPrimary: true, isInline: true },
  },
  // Changes with the qualifications of the organisation, not only with the project.
  {
    name: 'project_eligibility__in',
    kind: 'list',
    th: 'ยื่นได้ไหม',
    choices: ELIGIBILITY_VERDICTS,
    isTransient: true,
    isConfidential: true,
    saved: 'eligibility',
    panel: { order: 15 },
  },
  {
    name: 'project_status__in',
    kind: 'list',
    th: 'สถานะโครงการ',
    choices: PROJECT_STATUSES,
    isTransient: true,
    isProgress: true,
    saved: 'status',
    panel: { order: 70 },
  },
  {
    name: 'project_movement__in',
    kind: 'list',
    th: 'ความเคลื่อนไหว',
    choices: PROJECT_MOVEMENTS,
    isOpen: true,
    isTransient: true,
    isProgress: true,
    saved: 'movement',
    panel: { order: 80 },
  },
  {
    name: 'project_budget__range',
    kind: 'money',
    th: 'งบประมาณ',
    saved: 'budget',
    ceiling: 'budget',
    panel: { order: 20, isPrimary: true, title: 'งบประมาณ (บาท)' },
  },
  {
    name: 'project_estimate_budget__range',
    kind: 'money',
    th: 'ราคากลาง',
    saved: 'estimatedBudget',
    ceiling: 'otherBudgets',
    panel: { order: 190, title: 'ราคากลาง (บาท)' },
  },
  {
    name: 'project_winner_budget__range',
    kind: 'money',
    th: 'ราคาที่ชนะ',
    isTransient: true,
    saved: 'winnerBudget',
    ceiling: 'otherBudgets',
    panel: { order: 200, title: 'ราคาที่ชนะ (บาท)' },
  },
  {
    name: 'project_province__in',
    kind: 'list',
    th: 'จังหวัดของโครงการ',
    accepts: isProvince,
    groups: regionUrlListAbbreviator,
    saved: 'provinces',
    panel: { order: 30, isPrimary: true, shortList: 2, title: 'จังหวัด' },
  },
  // Province of the project or else of its department, as in matching (D8).
  {
    name: 'project_package_province',
    kind: 'flag',
    th: 'จังหวัดในแพ็กเกจ',
    saved: 'packageProvince',
    panel: { order: 185, text: 'เฉพาะจังหวัดในแพ็กเกจ' },
  },
  {
    name: 'project_province_dept_sub__in',
    kind: 'list',
    th: 'จังหวัดของหน่วยงาน',
    accepts: isProvince,
    groups: regionUrlListAbbreviator,
    saved: 'provincesDepartment',
    panel: { order: 180 },
  },
  // Agencies, or single units of them, as contract/catalogue/agency-name.ts writes them.
  {
    name: 'project_agency__in',
    kind: 'list',
    th: 'หน่วยงานผู้ซื้อ',
    hasManyValues: true,
    // A name and a unit of real data have up to 200 characters each.
    maxLength: 400,
    saved: 'agency',
    panel: { order: 40, isPrimary: true, shortList: 2, title: 'หน่วยงาน' },
  },
  {
    name: 'draft_published_date__range',
    kind: 'dates',
    th: 'วันประกาศร่าง',
    saved: 'draftPublishedDate',
    panel: { order: 210 },
  },
  {
    name: 'draft_discussion_end_date__range',
    kind: 'dates',
    th: 'สิ้นสุดวิจารณ์ร่าง',
    saved: 'draftDiscussEndedDate',
    isDeadline: true,
    panel: { order: 65 },
  },
  {
    name: 'bidding_invite_date__range',
    kind: 'dates',
    th: 'วันประกาศเชิญชวน',
    saved: 'biddingInvitedDate',
    panel: { order: 220 },
  },
  {
    name: 'submission_end_date__range',
    kind: 'dates',
    th: 'วันสิ้นสุดยื่นข้อเสนอ',
    saved: 'submissionEndedDate',
    isDeadline: true,
    panel: { order: 10, isPrimary: true, isInline: true, title: 'วันสิ้นสุดยื่น' },
  },
  {
    name: 'winner_announce_date__range',
    kind: 'dates',
    th: 'วันประกาศผู้ชนะ',
    saved: 'announceWinnerDate',
    panel: { order: 230 },
  },
  {
    name: 'ends_within',
    kind: 'count',
    th: 'สัญญาสิ้นสุด',
    max: 730,
    isTransient: true,
    saved: 'endsWithin',
    panel: { order: 240, title: 'สัญญาใกล้หมด' },
  },
  {
    name: 'project_method__in',
    kind: 'list',
    th: 'วิธีจัดหา',
    choices: PROCUREMENT_METHODS,
    isOpen: true,
    saved: 'method',
    panel: { order: 50, isPrimary: true, shortList: 2 },
  },
  {
    name: 'project_method_type__in',
    kind: 'list',
    th: 'ประเภทการจัดหา',
    choices: PROCUREMENT_METHOD_TYPES,
    isOpen: true,
    saved: 'methodType',
    panel: { order: 90 },
  },
  {
    name: 'project_criteria_for_consideration',
    kind: 'list',
    th: 'เกณฑ์การพิจารณา',
    choices: AWARD_CRITERIA,
    saved: 'criteriaForConsideration',
    panel: { order: 100 },
  },
  {
    name: 'check_sme',
    kind: 'flag',
    th: 'เปิดสิทธิ SME',
    saved: 'checkSME',
    panel: {
      order: 170,
      title: 'สิทธิ SME',
      text: 'เฉพาะโครงการที่แหล่งข้อมูลระบุว่าเปิดสิทธิ SME',
      // No live feed sends this flag; under the price criterion the SME advantage is a general rule.
      hint: 'e-GP ไม่เผยแพร่ข้อมูลนี้ จึงมักไม่พบ โครงการที่ไม่ได้ระบุอาจให้แต้มต่อ SMEs ตามกฎทั่วไปเช่นกัน',
    },
  },
  {
    name: 'project_bookmark',
    kind: 'flag',
    th: 'ติดดาว',
    owner: 'user',
    isTransient: true,
    saved: 'bookmark',
    panel: { order: 110, section: 'marks', text: 'เฉพาะโครงการติดดาว' },
  },
  {
    name: 'project_label__in',
    kind: 'list',
    th: 'ป้ายกำกับ',
    owner: 'user',
    isTransient: true,
    saved: 'projectLabel',
    panel: { order: 120, section: 'marks' },
  },
  { name: 'project_hidden', kind: 'flag', th: 'ที่ซ่อนไว้', owner: 'user', isTransient: true, saved: 'hidden' },
  {
    name: 'project_since_visit',
    kind: 'flag',
    th: 'ใหม่หรืออัปเดตตั้งแต่ครั้งก่อน',
    owner: 'user',
    isTransient: true,
    isUncounted: true,
    saved: 'sinceVisit',
    panel: { order: 62, title: 'ตั้งแต่ครั้งก่อน', text: 'เฉพาะที่เปลี่ยนตั้งแต่ครั้งก่อน' },
  },
  {
    name: 'team_label__in',
    kind: 'list',
    th: 'ป้ายทีม',
    accepts: (value) => /^[^\s<>"'/\\]{1,120}$/.test(value),
    owner: 'team',
    saved: 'teamLabel',
    panel: { order: 150 },
  },
  {
    name: 'pursuit_stage__in',
    kind: 'list',
    th: 'ขั้นของงาน',
    accepts: (value) => /^[\w-]{1,40}$/.test(value),
    owner: 'team',
    isTransient: true,
    saved: 'pursuitStage',
    panel: { order: 130, section: 'pursuit' },
  },
  {
    name: 'pursuit_owner__in',
    kind: 'list',
    th: 'ผู้ดูแล',
    accepts: (value) => /^(none|\d{1,9})$/.test(value),
    owner: 'team',
    isTransient: true,
    saved: 'pursuitOwner',
    panel: { order: 160 },
  },
  {
    name: 'pursuit_has_notes',
    kind: 'flag',
    th: 'มีโน้ตของทีม',
    owner: 'team',
    isTransient: true,
    saved: 'pursuitNotes',
    panel: { order: 140, section: 'pursuit', text: 'เฉพาะโครงการที่ทีมมีโน้ต' },
  },
  { name: 'ordering', kind: 'ordering', th: 'เรียงตาม', role: 'view' },
  { name: 'page', kind: 'count', th: 'หน้า', role: 'view' },
  { name: 'page_size', kind: 'count', th: 'จำนวนต่อหน้า', role: 'view' },
  { name: 'saved', kind: 'text', th: 'ตัวกรองที่บันทึก', role: 'view' },
  { name: 'peek', kind: 'text', th: 'โครงการที่เปิดดูย่อ', role: 'view' },
  { name: 'queue', kind: 'flag', th: 'ไล่ดูรายการเช้านี้', role: 'view' },
  { name: 'view', kind: 'text', th: 'มุมมอง', choices: REPORT_VIEWS, role: 'view' },
  { name: 'market', kind: 'flag', th: 'ทั้งตลาด', role: 'view' },
  { name: 'rank', kind: 'text', th: 'จัดอันดับตาม', choices: COMPANY_RANKINGS, role: 'view' },
  { name: 'rows', kind: 'text', th: 'โครงการของตัวเลข', role: 'view' },
] as const satisfies readonly CatalogueEntry[]

type CatalogueParam = (typeof REPORT_PARAMS)[number]
export type ReportParamName = CatalogueParam['name']
/** Parameters that decide which projects are in the report's list; excludes the scope and the view. */
export type ReportFilterName = Exclude<CatalogueParam, { role: string }>['name']
export type ReportSearch = {
  readonly [P in CatalogueParam as P['name']]?: P extends { kind: 'text'; choices: readonly { code: infer Code }[] }
    ? Code
    : ReportParamValues[P['kind']]
}
export type ReportParamNameOf<K extends ReportParamKind> = Extract<CatalogueParam, { kind: K }>['name']

type FilterOfKind<K extends ReportParamKind> = Extract<Exclude<CatalogueParam, { role: string }>, { kind: K }>
/** Filters that `GET /projects/facets` counts, by the part of its answer that has their counts. */
export type ReportFacetNames = {
  readonly options: Exclude<
    FilterOfKind<'list' | 'flag' | 'count'>,
    { hasManyValues: true } | { isUncounted: true }
  >['name']
  readonly money: FilterOfKind<'money'>['name']
  readonly dates: FilterOfKind<'dates'>['name']
}

export const REPORT_EXPRESSION_PARAMS = REPORT_PARAMS.filter((param) => param.kind === 'expression').map(
  ({ name }) => name,
)

const namesWhere = (test: (param: ReportParam) => boolean): readonly ReportParamName[] =>
  REPORT_PARAMS.filter(test).map(({ name }) => name)

export const REPORT_VIEW_PARAMS = namesWhere(({ role }) => role === 'view')
/** Parameters whose meaning depends on the user; a shared link with one of them shows a notice. */
export const REPORT_PERSONAL_PARAMS = namesWhere(({ owner }) => owner === 'user')
/** Parameters about the team's work. They mean the same for all members and nothing to other organisations. */
export const REPORT_TEAM_PARAMS = namesWhere(({ owner }) => owner === 'team')
/** Parameters that API keys need the scope `pursuits` for, because even a count would leak private data. */
export const REPORT_CONFIDENTIAL_PARAMS = namesWhere(
  ({ owner, isConfidential }) => owner === 'team' || isConfidential === true,
)
/** Filters that read the organisation's matches, marks or documents, so that they cannot apply to the whole market. */
export const OWN_PROJECT_PARAMS = namesWhere(({ owner, readsMatches }) => owner !== undefined || readsMatches === true)
const PROGRESS_PARAMS = namesWhere(({ isProgress }) => isProgress === true)
export const REPORT_DEFAULT_PAGE_SIZE = 50
/** Value of the filters by label, team label, stage and owner that selects the projects without one. */
export const UNASSIGNED_FILTER_VALUE = 'none'

const PARAM_BY_NAME: ReadonlyMap<string, ReportParam> = new Map(REPORT_PARAMS.map((param) => [param.name, param]))

export function isReportParam(name: string): name is ReportParamName {
  return PARAM_BY_NAME.has(name)
}

export function findReportParam(name: ReportParamName): ReportParam {
  return PARAM_BY_NAME.get(name)!
}

export const isReportParamOfKind = <K extends ReportParamKind>(
  name: ReportParamName,
  kind: K,
): name is ReportParamNameOf<K> => findReportParam(name).kind === kind

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

const FILTER_PARAMS: readonly ReportParam[] = REPORT_PARAMS.filter((param) => !('role' in param))
const FILTERS = FILTER_PARAMS.map(({ name }) => name as ReportFilterName)

const facetsOf = <Part extends keyof ReportFacetNames>(...kinds: readonly ReportParamKind[]) =>
  FILTER_PARAMS.filter(
    ({ kind, hasManyValues, isUncounted }) => kinds.includes(kind) && !hasManyValues && !isUncounted,
  ).map(
    // The filter repeats the conditions of the type, which TypeScript cannot follow.
    ({ name }) => name as ReportFacetNames[Part],
  )
export const REPORT_FACET_NAMES = {
  options: facetsOf<'options'>('list', 'flag', 'count'),
  money: facetsOf<'money'>('money'),
  dates: facetsOf<'dates'>('dates'),
}

export const hasCountedOptions = (name: ReportParamName): name is ReportFacetNames['options'] =>
  REPORT_FACET_NAMES.options.some((counted) => counted === name)

export function getActiveReportFilters(search: ReportSearch): ReportFilterName[] {
  return FILTERS.filter((name) => search[name] !== undefined)
}

/**
 * Returns the search without bid states, for the winners view. Only awarded projects have a winner, so the report's
 * default `open` would leave nothing to count.
 */
export function omitBidStates({ project_bidding__in: _bidStates, ...search }: ReportSearch): ReportSearch {
  return search
}

export function omitProgressFilters(search: ReportSearch): ReportSearch {
  return Object.fromEntries(
    Object.entries(search).filter(([name]) => !(PROGRESS_PARAMS as readonly string[]).includes(name)),
  ) as ReportSearch
}
