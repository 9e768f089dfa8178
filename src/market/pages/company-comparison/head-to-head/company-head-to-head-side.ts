import type { CompanyComparison, CompanyHeadToHead } from '#contract/market/company-comparison.ts'
import {
  COMPANY_HEAD_TO_HEAD_RESULT_CODES,
  type CompanyHeadToHeadResultCode,
} from '#src/market/api/company-comparisons.ts'
import { formatDiscountFigure } from '#src/report/similar-prices/similar-prices-discount-bins.ts'

const negateGap = (gap: number | null) => (gap === null || gap === 0 ? gap : -gap)

/** Returns the meetings of two companies from the perspective of `a`. Gaps are positive when it was cheaper. */
export function findCompanyHeadToHead(
  meetings: CompanyComparison['meetings'],
  a: number,
  b: number,
): CompanyHeadToHead | undefined {
  const reverse = meetings.find((meeting) => meeting.a === b && meeting.b === a)
  if (!reverse) return meetings.find((meeting) => meeting.a === a && meeting.b === b)
  const { a_won: lost, b_won: won, median_gap: median, mean_gap: mean } = reverse
  return { ...reverse, a, b, a_won: won, b_won: lost, median_gap: negateGap(median), mean_gap: negateGap(mean) }
}

/** Formats a gap with its sign: `+2.1%`, `−2.1%`, `0.0%`. */
export function formatGap(gap: number): string {
  const text = formatDiscountFigure(gap)
  return gap > 0 && text !== formatDiscountFigure(0) ? `+${text}` : text
}

/** The open cell of the matrix; in the URL `met:12:34`, with the ids of both companies. */
export type SelectedHeadToHeadCell = {
  readonly result: CompanyHeadToHeadResultCode
  readonly a: number
  readonly b: number
}

export const formatHeadToHeadCell = ({ result, a, b }: SelectedHeadToHeadCell): string => `${result}:${a}:${b}`

export function parseHeadToHeadCell(text: string | undefined): SelectedHeadToHeadCell | undefined {
  const [result, a, b] = (text ?? '').split(':')
  const knownResult = COMPANY_HEAD_TO_HEAD_RESULT_CODES.find((item) => item === result)
  if (!knownResult || !/^\d{1,12}$/.test(a ?? '') || !/^\d{1,12}$/.test(b ?? '')) return undefined
  return { result: knownResult, a: Number(a), b: Number(b) }
}
