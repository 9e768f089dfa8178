import { type FlatParam, type IgnoredFlatParam, parseFlat, printFlat, type SearchOf } from '../http/flat-params.ts'
import { WIN_RANKS } from '../report/report-view.ts'

/** The query parameters of /agencies/{code}. Names are those of the pages of companies and of ใครชนะ where they mean the same. */
export const AGENCY_PARAMS = [
  { name: 'scope', kind: 'choice', th: 'ขอบเขต', of: ['all', 'watch'] },
  { name: 'year_from', kind: 'year', th: 'ตั้งแต่ปีงบประมาณ' },
  { name: 'year_to', kind: 'year', th: 'ถึงปีงบประมาณ' },
  /** Exact name of one of its purchasing units; the agency's own name: what it buys without naming a unit. */
  { name: 'unit', kind: 'text', th: 'หน่วยซื้อ' },
  { name: 'rank', kind: 'choice', th: 'จัดอันดับตาม', of: WIN_RANKS.map(({ code }) => code) },
  /** The figure whose projects are shown: `agencyProjects` in contract/market/agency.ts. */
  { name: 'rows', kind: 'text', th: 'โครงการของตัวเลข' },
  { name: 'page', kind: 'count', th: 'หน้า', usual: '1' },
] as const satisfies readonly FlatParam[]

type Listed = (typeof AGENCY_PARAMS)[number]
/** The typed search of the page of an agency; an absent key is the default. */
export type AgencySearch = SearchOf<Listed>

/** Reads flat name → text pairs. Never throws; what it cannot read is named in `ignored`. Years the wrong way round count as invalid. */
export function parseAgencySearch(flat: Readonly<Record<string, string>>): {
  readonly search: AgencySearch
  readonly ignored: readonly IgnoredFlatParam[]
} {
  const { search, ignored } = parseFlat<Listed>(AGENCY_PARAMS, flat)
  const { year_from: from, year_to: to, ...rest } = search
  if (from === undefined || to === undefined || from <= to) return { search, ignored }
  return {
    search: { ...rest, year_from: from },
    ignored: [...ignored, { name: 'year_to', value: String(to), reason: 'invalid' }],
  }
}

/** Prints a search in catalogue order, defaults left out. Reading it gives the same search. */
export const printAgencySearch = (search: AgencySearch): Record<string, string> =>
  printFlat<Listed>(AGENCY_PARAMS, search)

/** Digits alone are a code of e-GP; anything else in an address is the name of an agency. */
export const isAgencyCode = (part: string): boolean => /^\d{2,12}$/.test(part)
