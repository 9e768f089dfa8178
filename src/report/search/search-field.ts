import { findReportParam, REPORT_EXPRESSION_PARAMS, type ReportParamName } from '#contract/report/report-params.ts'

export type SearchField = {
  readonly name: ReportParamName
  readonly th: string
  readonly placeholder: string
  readonly note?: string
}

/** Search fields. The first is the default and searches all fields; the others search one field each. */
export const SEARCH_FIELDS = [
  { name: 'project_search__in', th: 'ทุกช่อง', placeholder: 'ค้นชื่อ เลขที่ หน่วยงาน ผู้ชนะ' },
  { name: 'project_name__in', th: findReportParam('project_name__in').th, placeholder: 'ค้นชื่อโครงการ เช่น กล้องวงจรปิด' },
  { name: 'project_id__in', th: findReportParam('project_id__in').th, placeholder: 'วางเลขที่โครงการได้หลายเลข' },
  { name: 'project_dept_sub__in', th: findReportParam('project_dept_sub__in').th, placeholder: 'ค้นหน่วยงาน เช่น เทศบาล' },
  { name: 'project_winner_name__in', th: findReportParam('project_winner_name__in').th, placeholder: 'ค้นชื่อผู้ชนะ' },
  {
    name: 'document_text__in',
    th: findReportParam('document_text__in').th,
    placeholder: 'คำใน TOR เช่น ISO 9001',
    note: 'ค้นทุกเอกสารของโครงการที่เก็บไว้และอ่านข้อความได้ ไม่รวมภาพสแกน คำอยู่คนละหน้าก็นับ',
  },
  { name: 'ai_deep_search__in', th: findReportParam('ai_deep_search__in').th, placeholder: 'สิ่งที่มองหา เช่น กล้องวงจรปิด' },
] as const satisfies readonly SearchField[]

export const SEARCH_PARAMS = SEARCH_FIELDS.map(({ name }) => name)
export type SearchParam = (typeof SEARCH_FIELDS)[number]['name']
/** Parameters that accept operators; project numbers and semantic search are plain lists. */
export type SearchExpressionParam = (typeof REPORT_EXPRESSION_PARAMS)[number]
export const isSearchExpressionParam = (name: SearchParam): name is SearchExpressionParam =>
  (REPORT_EXPRESSION_PARAMS as readonly string[]).includes(name)
