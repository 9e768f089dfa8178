import {
  AWARD_CRITERIA,
  PROCUREMENT_METHOD_TYPES,
  PROCUREMENT_METHODS,
  PROJECT_MOVEMENTS,
  PROJECT_STATUSES,
} from './project.ts'

/**
 * How a fact is stored and returned: money is stored in satang and returned in baht, a place is stored as a DOPA code
 * and returned as the name of its province or region, a time is `HH:mm` or `HH:mm-HH:mm` in Bangkok, an enumeration is
 * a code or the source's text.
 */
type FactValues = {
  readonly text: string
  readonly enumeration: string
  readonly money: number
  readonly day: string
  readonly time: string
  readonly province: number
  readonly region: number
  readonly number: number
  readonly flag: boolean
  readonly coordinate: number
}
export type ProjectFactType = keyof FactValues

export type ProjectFact = {
  /** Thai label: title of the report's column, line of the project page and name in the history. */
  readonly th: string
  /** Column of `projects`; `departmentColumn` stores the fact in `departments` instead. */
  readonly column: string
  readonly departmentColumn?: 'name' | 'sub_name' | 'province'
  /** Value of the column while the fact is unknown, if the column is not nullable. */
  readonly unknown?: '' | 'no_data' | 0 | false
  /** True if sources state the fact in their records, under its column in camel case; otherwise it is derived. */
  readonly isFed: boolean
  /** True if a change of it is recorded, shown and notified (D3). */
  readonly isTracked: boolean
  /** Ranking of the sources if they disagree; without one the latest value wins. */
  readonly sources?: SourcedProjectFactGroup
} & (
  | { readonly type: 'enumeration'; readonly choices: readonly { readonly code: string; readonly th: string }[] }
  | { readonly type: Exclude<ProjectFactType, 'enumeration'> }
)

export type SourcedProjectFactGroup = 'price' | 'stage' | 'deadline' | 'agency'

/** Facts of a report row: returned under these names, and available to columns, exports and the project page. */
export const REPORT_FACTS = {
  name: { th: 'ชื่อโครงการ', type: 'text', column: 'name', unknown: '', isFed: true, isTracked: true },
  dept_name: {
    th: 'หน่วยงานต้นสังกัด',
    type: 'text',
    column: 'dept_name',
    departmentColumn: 'name',
    unknown: '',
    isFed: true,
    isTracked: false,
  },
  /** Lowest purchasing unit (D9). Defaults to the department for a new project. */
  dept_sub_name: {
    th: 'หน่วยงาน',
    type: 'text',
    column: 'dept_sub_name',
    departmentColumn: 'sub_name',
    unknown: '',
    isFed: true,
    isTracked: true,
    sources: 'agency',
  },
  dept_region: {
    th: 'ภาคของหน่วยงาน',
    type: 'region',
    column: 'dept_province',
    departmentColumn: 'province',
    isFed: false,
    isTracked: false,
  },
  dept_province: {
    th: 'จังหวัดของหน่วยงาน',
    type: 'province',
    column: 'dept_province',
    departmentColumn: 'province',
    isFed: true,
    isTracked: false,
  },
  project_region: { th: 'ภาคของโครงการ', type: 'region', column: 'project_province', isFed: false, isTracked: false },
  project_province: {
    th: 'จังหวัดของโครงการ',
    type: 'province',
    column: 'project_province',
    isFed: true,
    isTracked: false,
  },
  budget: { th: 'งบประมาณ', type: 'money', column: 'budget_satang', isFed: true, isTracked: true, sources: 'price' },
  estimate_budget: {
    th: 'ราคากลาง',
    type: 'money',
    column: 'estimate_satang',
    isFed: true,
    isTracked: true,
    sources: 'price',
  },
  criteria: {
    th: 'เกณฑ์การพิจารณา',
    type: 'enumeration',
    choices: AWARD_CRITERIA,
    column: 'criteria',
    unknown: 'no_data',
    isFed: true,
    isTracked: true,
  },
  movement: {
    th: 'ความเคลื่อนไหว',
    type: 'enumeration',
    choices: PROJECT_MOVEMENTS,
    column: 'movement',
    unknown: '',
    isFed: false,
    isTracked: true,
  },
  movement_date: { th: 'วันที่เคลื่อนไหว', type: 'day', column: 'movement_on', isFed: false, isTracked: false },
  /** Sources state a text or an announcement, from which the load derives the code (D1). */
  status: {
    th: 'สถานะโครงการ',
    type: 'enumeration',
    choices: PROJECT_STATUSES,
    column: 'status',
    unknown: '',
    isFed: false,
    isTracked: true,
    sources: 'stage',
  },
  draft_published_date: {
    th: 'วันประกาศร่าง',
    type: 'day',
    column: 'draft_published_on',
    isFed: true,
    isTracked: true,
    sources: 'stage',
  },
  draft_discussion_end_date: {
    th: 'สิ้นสุดวิจารณ์ร่าง',
    type: 'day',
    column: 'draft_discussion_ends_on',
    isFed: true,
    isTracked: true,
    sources: 'deadline',
  },
  bidding_invite_date: {
    th: 'วันประกาศเชิญชวน',
    type: 'day',
    column: 'bidding_invited_on',
    isFed: true,
    isTracked: true,
    sources: 'stage',
  },
  submission_end_date: {
    th: 'วันสิ้นสุดยื่นข้อเสนอ',
    type: 'day',
    column: 'submission_ends_on',
    isFed: true,
    isTracked: true,
    sources: 'deadline',
  },
  submission_time: { th: 'เวลายื่นข้อเสนอ', type: 'time', column: 'submission_time', isFed: true, isTracked: true },
  winner_announce_date: {
    th: 'วันประกาศผู้ชนะ',
    type: 'day',
    column: 'winner_announced_on',
    isFed: true,
    isTracked: true,
    sources: 'stage',
  },
  /** An announced winner is superseded by the contracts. */
  winner_name: { th: 'ผู้ชนะ', type: 'text', column: 'winner_name', isFed: true, isTracked: true },
  /** Number of winners; `winner_name` is the one with the largest contract. */
  winner_count: { th: 'จำนวนผู้ชนะ', type: 'number', column: 'winner_count', unknown: 0, isFed: false, isTracked: false },
  /** Agreed total as stated by the source; defaults to the sum of the contracts. */
  winner_budget: {
    th: 'ราคาที่ชนะ',
    type: 'money',
    column: 'winner_satang',
    isFed: true,
    isTracked: true,
    sources: 'price',
  },
  method: {
    th: 'วิธีจัดหา',
    type: 'enumeration',
    choices: PROCUREMENT_METHODS,
    column: 'method',
    unknown: '',
    isFed: true,
    isTracked: true,
  },
  method_type: {
    th: 'ประเภทการจัดหา',
    type: 'enumeration',
    choices: PROCUREMENT_METHOD_TYPES,
    column: 'method_type',
    unknown: '',
    isFed: true,
    isTracked: true,
  },
  remark: { th: 'หมายเหตุ', type: 'text', column: 'remark', isFed: true, isTracked: true },
  is_sme: { th: 'SME', type: 'flag', column: 'is_sme', unknown: false, isFed: true, isTracked: false },
  is_archived: { th: 'ส่งมอบแล้ว', type: 'flag', column: 'is_archived', unknown: false, isFed: false, isTracked: false },
} as const satisfies Readonly<Record<string, ProjectFact>>

/** All stored facts. Those that are not in `REPORT_FACTS` are returned by the project page only. */
export const PROJECT_FACTS = {
  ...REPORT_FACTS,
  contract_signed_date: { th: 'วันลงนามสัญญา', type: 'day', column: 'contract_signed_on', isFed: true, isTracked: true },
  /** Buddhist year (D15). Derived from the dates when absent for a new project. */
  fiscal_year: { th: 'ปีงบประมาณ', type: 'number', column: 'fiscal_year', isFed: true, isTracked: false },
  district: { th: 'อำเภอ', type: 'text', column: 'district', isFed: true, isTracked: false },
  subdistrict: { th: 'ตำบล', type: 'text', column: 'subdistrict', isFed: true, isTracked: false },
  latitude: { th: 'ละติจูด', type: 'coordinate', column: 'latitude', isFed: true, isTracked: false },
  longitude: { th: 'ลองจิจูด', type: 'coordinate', column: 'longitude', isFed: true, isTracked: false },
} as const satisfies Readonly<Record<string, ProjectFact>>

export type ReportFactName = keyof typeof REPORT_FACTS
export type ProjectFactName = keyof typeof PROJECT_FACTS

const namesOf = <Name extends string>(facts: Readonly<Record<Name, ProjectFact>>) => Object.keys(facts) as Name[]
export const REPORT_FACT_NAMES = namesOf(REPORT_FACTS)
export const PROJECT_FACT_NAMES = namesOf(PROJECT_FACTS)
const FACTS: Readonly<Record<ProjectFactName, ProjectFact>> = PROJECT_FACTS
export const getProjectFact = (name: ProjectFactName): ProjectFact => FACTS[name]
export const findProjectFact = (name: string): ProjectFact | undefined =>
  Object.hasOwn(FACTS, name) ? FACTS[name as ProjectFactName] : undefined

export const isReportFact = (name: string): name is ReportFactName => Object.hasOwn(REPORT_FACTS, name)

export type ProjectFactNamesWith<Facts, Properties> = {
  [Name in keyof Facts]: Facts[Name] extends Properties ? Name : never
}[keyof Facts]

export const listReportFacts = <Type extends ProjectFactType>(type: Type) =>
  REPORT_FACT_NAMES.filter((name) => FACTS[name].type === type) as ProjectFactNamesWith<
    typeof REPORT_FACTS,
    { readonly type: Type }
  >[]

export type StoredFactValue<Fact extends ProjectFact> =
  | FactValues[Fact['type']]
  | (Fact extends { readonly unknown: unknown } ? never : null)

export type StoredFactColumns<Facts extends Readonly<Record<string, ProjectFact>>> = {
  readonly [Name in keyof Facts as Facts[Name]['column']]: StoredFactValue<Facts[Name]>
}
