import type { CompanyComparison, CompanyMeeting } from '#contract/market/company-comparison.ts'
import { MEETING_RESULTS, type MeetingResult } from '#src/market/api/company-comparisons.ts'

/** Meetings of two companies from one company's perspective; the other company's side is mirrored. */
export type MeetingSide = {
  readonly met: number
  readonly won: number
  readonly lost: number
  readonly othersWon: number
  readonly undecided: number
  /** Positive when this company was cheaper, by this share of the reference price. */
  readonly medianGap: number | null
  readonly meanGap: number | null
  readonly nGap: number
  readonly lastMet: string | null
  readonly meeting: CompanyMeeting
}

const turned = (gap: number | null) => (gap === null || gap === 0 ? gap : -gap)

export function meetingSideOf(
  meetings: CompanyComparison['meetings'],
  row: number,
  column: number,
): MeetingSide | undefined {
  const meeting = meetings.find(({ a, b }) => (a === row && b === column) || (a === column && b === row))
  if (!meeting) return undefined
  const isA = meeting.a === row
  return {
    met: meeting.met,
    won: isA ? meeting.a_won : meeting.b_won,
    lost: isA ? meeting.b_won : meeting.a_won,
    othersWon: meeting.others_won,
    undecided: meeting.undecided,
    medianGap: isA ? meeting.median_gap : turned(meeting.median_gap),
    meanGap: isA ? meeting.mean_gap : turned(meeting.mean_gap),
    nGap: meeting.n_gap,
    lastMet: meeting.last_met_date,
    meeting,
  }
}

export function meetingLeadOf({ won, lost }: Pick<MeetingSide, 'won' | 'lost'>): 'ahead' | 'behind' | 'even' {
  return won > lost ? 'ahead' : won < lost ? 'behind' : 'even'
}

/** The open cell of the matrix; `met:12:34` (company ids) in the URL. */
export type OpenMeetingCell = { readonly result: MeetingResult; readonly a: number; readonly b: number }

export const formatMeetingCell = ({ result, a, b }: OpenMeetingCell): string => `${result}:${a}:${b}`

export function parseMeetingCell(text: string | undefined): OpenMeetingCell | undefined {
  const [result, a, b] = (text ?? '').split(':')
  const knownResult = MEETING_RESULTS.find((item) => item === result)
  if (!knownResult || !/^\d{1,12}$/.test(a ?? '') || !/^\d{1,12}$/.test(b ?? '')) return undefined
  return { result: knownResult, a: Number(a), b: Number(b) }
}
