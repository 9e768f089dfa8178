import {
  formatQueryParams,
  type IgnoredQueryParam,
  parseQueryParams,
  type QueryParam,
  rejectInvertedYears,
  type SearchFromQueryParams,
} from '../http/query-params.ts'
import { COMPANY_RANKINGS } from '../report/report-view.ts'

export const AGENCY_PARAMS = [
  { name: 'scope', kind: 'choice', th: 'ขอบเขต', of: ['all', 'watch'] },
  { name: 'year_from', kind: 'year', th: 'ตั้งแต่ปีงบประมาณ' },
  { name: 'year_to', kind: 'year', th: 'ถึงปีงบประมาณ' },
  /** Exact name of a purchasing unit. The agency's own name selects the purchases without a named unit. */
  { name: 'unit', kind: 'text', th: 'หน่วยซื้อ' },
  { name: 'rank', kind: 'choice', th: 'จัดอันดับตาม', of: COMPANY_RANKINGS.map(({ code }) => code) },
  { name: 'rows', kind: 'text', th: 'โครงการของตัวเลข' },
  { name: 'page', kind: 'count', th: 'หน้า', usual: '1' },
] as const satisfies readonly QueryParam[]

type AgencyParam = (typeof AGENCY_PARAMS)[number]
export type AgencySearch = SearchFromQueryParams<AgencyParam>

export function parseAgencySearch(flat: Readonly<Record<string, string>>): {
  readonly search: AgencySearch
  readonly ignored: readonly IgnoredQueryParam[]
} {
  return rejectInvertedYears(parseQueryParams<AgencyParam>(AGENCY_PARAMS, flat))
}

export const formatAgencySearch = (search: AgencySearch): Record<string, string> =>
  formatQueryParams<AgencyParam>(AGENCY_PARAMS, search)

/** Returns true if the text consists of digits, which are an e-GP code; anything else in the URL is an agency name. */
export const isAgencyCode = (codeOrName: string): boolean => /^\d{2,12}$/.test(codeOrName)
