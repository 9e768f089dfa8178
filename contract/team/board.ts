import { type FlatParam, type IgnoredFlatParam, parseFlat, printFlat, type SearchOf } from '../http/flat-params.ts'
import { boardFilters } from '../report/board-filters.ts'
import { isReportParam, parseReportSearch, printReportSearch, type ReportSearch } from '../report/report-params.ts'

/** Days until bids close; the first value means no limit. */
export const BOARD_DUE = ['any', '7', '14', '30'] as const

export const BOARD_PARAMS = [
  { name: 'owner', kind: 'list', th: 'ผู้ดูแล', accepts: (value) => /^(none|\d{1,9})$/.test(value) },
  { name: 'due', kind: 'choice', th: 'กำหนดยื่น', of: BOARD_DUE },
  { name: 'fold', kind: 'list', th: 'คอลัมน์ที่พับ', accepts: (value) => /^[\w-]{1,40}$/.test(value) },
  { name: 'stage', kind: 'text', th: 'ขั้น' },
] as const satisfies readonly FlatParam[]
type BoardParam = (typeof BOARD_PARAMS)[number]
export type BoardSearch = SearchOf<BoardParam> & {
  readonly report?: ReportSearch
}

export function parseBoardSearch(flat: Readonly<Record<string, string>>): {
  readonly search: BoardSearch
  readonly ignored: readonly IgnoredFlatParam[]
} {
  const pairs = Object.entries(flat)
  const boardResult = parseFlat<BoardParam>(
    BOARD_PARAMS,
    Object.fromEntries(pairs.filter(([name]) => !isReportParam(name))),
  )
  const reportResult = parseReportSearch(Object.fromEntries(pairs.filter(([name]) => isReportParam(name))))
  const report = boardFilters(reportResult.search)
  return {
    search: { ...boardResult.search, ...(report && { report }) },
    ignored: [...boardResult.ignored, ...reportResult.ignored],
  }
}

export function printBoardSearch({ report = {}, ...boardSearch }: BoardSearch): Record<string, string> {
  return { ...printReportSearch(report), ...printFlat<BoardParam>(BOARD_PARAMS, boardSearch) }
}

export const cardQueryOf = ({ owner, due, report = {} }: BoardSearch): Record<string, string> => ({
  ...printReportSearch(report),
  ...(owner === undefined ? {} : { owner: owner.join(',') }),
  ...(due === undefined ? {} : { due_within: due }),
})
