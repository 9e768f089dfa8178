import { type FlatParam, type IgnoredFlatParam, parseFlat, printFlat, type SearchOf } from '../http/flat-params.ts'
import { boardFilters } from '../report/board-filters.ts'
import { isReportParam, parseReportSearch, printReportSearch, type ReportSearch } from '../report/report-params.ts'

/** Address of the board: its own parameters, and report filters under their own names. */

/** Days until bids close; the first value means no limit. */
export const BOARD_DUE = ['any', '7', '14', '30'] as const

export const BOARD_PARAMS = [
  /** Member ids; `none`: unassigned. */
  { name: 'owner', kind: 'list', th: 'ผู้ดูแล', accepts: (value) => /^(none|\d{1,9})$/.test(value) },
  { name: 'due', kind: 'choice', th: 'กำหนดยื่น', of: BOARD_DUE },
  { name: 'fold', kind: 'list', th: 'คอลัมน์ที่พับ', accepts: (value) => /^[\w-]{1,40}$/.test(value) },
  { name: 'stage', kind: 'text', th: 'ขั้น' },
] as const satisfies readonly FlatParam[]
type Listed = (typeof BOARD_PARAMS)[number]
export type BoardSearch = SearchOf<Listed> & {
  /** Report filters without tab, order and page; they match pursuits in either tab. Absent when there are none. */
  readonly report?: ReportSearch
}

export function parseBoardSearch(flat: Readonly<Record<string, string>>): {
  readonly search: BoardSearch
  readonly ignored: readonly IgnoredFlatParam[]
} {
  const pairs = Object.entries(flat)
  const own = parseFlat<Listed>(BOARD_PARAMS, Object.fromEntries(pairs.filter(([name]) => !isReportParam(name))))
  const found = parseReportSearch(Object.fromEntries(pairs.filter(([name]) => isReportParam(name))))
  const report = boardFilters(found.search)
  return { search: { ...own.search, ...(report && { report }) }, ignored: [...own.ignored, ...found.ignored] }
}

export function printBoardSearch({ report = {}, ...own }: BoardSearch): Record<string, string> {
  return { ...printReportSearch(report), ...printFlat<Listed>(BOARD_PARAMS, own) }
}

export const cardQueryOf = ({ owner, due, report = {} }: BoardSearch): Record<string, string> => ({
  ...printReportSearch(report),
  ...(owner === undefined ? {} : { owner: owner.join(',') }),
  ...(due === undefined ? {} : { due_within: due }),
})
