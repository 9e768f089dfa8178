import {
  formatQueryParams,
  type IgnoredQueryParam,
  parseQueryParams,
  type QueryParam,
  type SearchFromQueryParams,
} from '../http/query-params.ts'
import { getBoardFilters } from '../report/board-filters.ts'
import { formatReportSearch, isReportParam, parseReportSearch, type ReportSearch } from '../report/report-params.ts'

/** Options for days until bids close; the first means no limit. */
export const BOARD_DUE_DAY_OPTIONS = ['any', '7', '14', '30'] as const

export const BOARD_PARAMS = [
  { name: 'owner', kind: 'list', th: 'ผู้ดูแล', accepts: (value) => /^(none|\d{1,9})$/.test(value) },
  { name: 'due', kind: 'choice', th: 'กำหนดยื่น', of: BOARD_DUE_DAY_OPTIONS },
  { name: 'fold', kind: 'list', th: 'คอลัมน์ที่พับ', accepts: (value) => /^[\w-]{1,40}$/.test(value) },
  { name: 'stage', kind: 'text', th: 'ขั้น' },
] as const satisfies readonly QueryParam[]
type BoardParam = (typeof BOARD_PARAMS)[number]
export type BoardSearch = SearchFromQueryParams<BoardParam> & {
  readonly report?: ReportSearch
}

export function parseBoardSearch(flat: Readonly<Record<string, string>>): {
  readonly search: BoardSearch
  readonly ignored: readonly IgnoredQueryParam[]
} {
  const pairs = Object.entries(flat)
  const boardResult = parseQueryParams<BoardParam>(
    BOARD_PARAMS,
    Object.fromEntries(pairs.filter(([name]) => !isReportParam(name))),
  )
  const reportResult = parseReportSearch(Object.fromEntries(pairs.filter(([name]) => isReportParam(name))))
  const report = getBoardFilters(reportResult.search)
  return {
    search: { ...boardResult.search, ...(report && { report }) },
    ignored: [...boardResult.ignored, ...reportResult.ignored],
  }
}

export function formatBoardSearch({ report = {}, ...boardSearch }: BoardSearch): Record<string, string> {
  return { ...formatReportSearch(report), ...formatQueryParams<BoardParam>(BOARD_PARAMS, boardSearch) }
}

export const toBoardCardQuery = ({ owner, due, report = {} }: BoardSearch): Record<string, string> => ({
  ...formatReportSearch(report),
  ...(owner === undefined ? {} : { owner: owner.join(',') }),
  ...(due === undefined ? {} : { due_within: due }),
})
