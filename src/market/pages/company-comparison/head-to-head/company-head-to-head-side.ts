import type { CompanyComparison, CompanyHeadToHead } from '#contract/market/company-comparison.ts'
import {
  COMPANY_HEAD_TO_HEAD_RESULT_CODES,
  type CompanyHeadToHeadResultCode,
} from '#src/market/api/company-comparisons.ts'

/** Meetings of two companies from the perspective of one; the other company's view has wins and losses swapped. */
export type CompanyHeadToHeadSide = {
  readonly met: number
  readonly won: number
  readonly lost: number
  readonly othersWon: number
  readonly undecided: number
  /** Median price gap as a share of the reference price; positive when this company was cheaper. */
  readonly medianGap: number | null
  readonly meanGap: number | null
  readonly nGap: number
  readonly lastMet: string | null
  readonly meeting: CompanyHeadToHead
}

const negateGap = (gap: number | null) => (gap === null || gap === 0 ? gap : -gap)

export function getCompanyHeadToHeadSide(
  meetings: CompanyComparison['meetings'],
  row: number,
  column: number,
): CompanyHeadToHeadSide | undefined {
  const meeting = meetings.find(({ a, b }) => (a === row && b === column) || (a === column && b === row))
  if (!meeting) return undefined
  const isA = meeting.a === row
  return {
    met: meeting.met,
    won: isA ? meeting.a_won : meeting.b_won,
    lost: isA ? meeting.b_won : meeting.a_won,
    othersWon: meeting.others_won,
    undecided: meeting.undecided,
    medianGap: isA ? meeting.median_gap : negateGap(meeting.median_gap),
    meanGap: isA ? meeting.mean_gap : negateGap(meeting.mean_gap),
    nGap: meeting.n_gap,
    lastMet: meeting.last_met_date,
    meeting,
  }
}

export function compareCompanyHeadToHeadWins({
  won,
  lost,
}: Pick<CompanyHeadToHeadSide, 'won' | 'lost'>): 'ahead' | 'behind' | 'even' {
  return won > lost ? 'ahead' : won < lost ? 'behind' : 'even'
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
