import { formatLawClause, getCurrentProcurementRule, type LawClause } from '../catalogue/procurement-rules.ts'
import { parseBidSubmissionHours } from '../catalogue/submission-time.ts'
import { addWorkingDays } from '../thai/working-day.ts'
import { type AppealFacts, getAppealNote, getDraftCommentNote, isAppealable } from './appeal.ts'
import type { ReportRow } from './report.ts'

export const DEADLINE_KINDS = ['comment', 'question', 'submission', 'result', 'appeal'] as const
export type DeadlineKind = (typeof DEADLINE_KINDS)[number]

export type Deadline = {
  readonly kind: DeadlineKind
  readonly day: string | null
  /** Start and end as `HH:mm` in Bangkok time; absent when e-GP publishes only a day. */
  readonly time?: { readonly from: string; readonly to: string }
  readonly isEstimate: boolean
  readonly law?: LawClause
  readonly note?: string
}

type DeadlineKindText = {
  readonly name: string
  readonly basis: string
  readonly estimate?: string
}

const EXPLANATION = getCurrentProcurementRule('explanationWorkingDays')
const APPEAL = getCurrentProcurementRule('appealWorkingDays')

export const DEADLINE_KIND_TEXTS: Readonly<Record<DeadlineKind, DeadlineKindText>> = {
  comment: { name: 'สิ้นสุดวิจารณ์ร่าง', basis: 'ตามประกาศของหน่วยงาน' },
  question: {
    name: 'ถามรายละเอียดวันสุดท้าย',
    basis: 'ตามประกาศของหน่วยงาน',
    estimate: `${EXPLANATION.value} วันทำการก่อนวันยื่น หน่วยงานต้องเผยแพร่คำชี้แจงไม่ช้ากว่านี้ ควรถามล่วงหน้า`,
  },
  submission: { name: 'สิ้นสุดยื่นข้อเสนอ', basis: 'ตามประกาศของหน่วยงาน' },
  result: { name: 'ประกาศผล', basis: 'ตามประกาศของหน่วยงาน' },
  appeal: {
    name: `ครบกำหนดอุทธรณ์ (ม. ${APPEAL.source.clause})`,
    basis: formatLawClause(APPEAL.source),
    estimate: `นับ ${APPEAL.value} วันทำการหลังประกาศผล ผู้ที่ยื่นข้อเสนอต้องอุทธรณ์เป็นหนังสือภายในวันนั้น`,
  },
}

export type DeadlineCountdownFacts = Pick<
  ReportRow,
  | 'project_id'
  | 'method'
  | 'status'
  | 'movement'
  | 'draft_discussion_end_date'
  | 'submission_end_date'
  | 'submission_time'
  | 'winner_announce_date'
  | 'is_archived'
>

export type DeadlineFacts = DeadlineCountdownFacts & AppealFacts

/**
 * Clauses of the Regulation of the Ministry of Finance B.E. 2560 (N4) on draft hearings, explanations and the bid day.
 * They apply to e-bidding; for other methods only published dates are shown.
 */
const eBiddingLaw = ({ method }: DeadlineCountdownFacts, clause: string): Pick<Deadline, 'law'> =>
  method === 'e_bidding' ? { law: { law: 'regulation_2560', clause } } : {}

/** Returns the date of the result; null after a cancelled result, which starts no appeal period. */
const resultOf = ({ movement, winner_announce_date }: DeadlineCountdownFacts) =>
  movement === 'winner_cancelled' ? null : winner_announce_date

function commentOf(row: DeadlineCountdownFacts): Deadline {
  const day = row.draft_discussion_end_date
  const note = getDraftCommentNote(row.method, day)
  return { kind: 'comment', day, isEstimate: false, ...eBiddingLaw(row, '45'), ...(note !== undefined && { note }) }
}

function submissionOf(row: DeadlineCountdownFacts): Deadline {
  const time = parseBidSubmissionHours(row.submission_time)
  return {
    kind: 'submission',
    day: row.submission_end_date,
    ...(time && { time }),
    isEstimate: false,
    ...eBiddingLaw(row, '54'),
  }
}

/** Returns all dates of a project, including unknown ones (N4), and an appeal only for methods that allow one. */
export function getProjectDeadlines(row: DeadlineFacts): Deadline[] {
  const submission = submissionOf(row)
  const result = resultOf(row)
  const questionDeadline: Deadline = {
    kind: 'question',
    day: submission.day && addWorkingDays(submission.day, -EXPLANATION.value),
    isEstimate: true,
    ...eBiddingLaw(row, EXPLANATION.source.clause),
  }
  const appeal: Deadline = {
    kind: 'appeal',
    day: result && addWorkingDays(result, APPEAL.value),
    isEstimate: true,
    law: APPEAL.source,
    note: getAppealNote(row),
  }
  return [
    commentOf(row),
    ...(row.method === 'e_bidding' ? [questionDeadline] : []),
    submission,
    { kind: 'result', day: result, isEstimate: false },
    ...(isAppealable(row) ? [appeal] : []),
  ]
}

export const formatDeadlineLegalBasis = ({ kind, law }: Pick<Deadline, 'kind' | 'law'>): string =>
  law ? formatLawClause(law) : DEADLINE_KIND_TEXTS[kind].basis

export function getDeadlineEndMs({ day, time }: Pick<Deadline, 'day' | 'time'>): number | undefined {
  if (day === null) return undefined
  return time ? Date.parse(`${day}T${time.to}:00+07:00`) : Date.parse(`${day}T23:59:59.999+07:00`) + 1
}

export type DeadlineCountdownState =
  | { readonly kind: 'counting'; readonly deadline: Deadline & { readonly day: string } }
  | { readonly kind: 'cancelled' | 'contracted' | 'decided' | 'closed' | 'drafted' | 'delivered' | 'undated' }

const DECIDED_MOVEMENTS = ['winner_announced', 'winner_amended']
/** Movements after which bidding has ended, even if e-GP does not publish when. */
const CLOSED_MOVEMENTS = ['bids_closed', 'winner_cancelled']

/**
 * Returns the next date to count down to (the end of the comment period, otherwise the end of submission), or the
 * reason why there is none.
 */
export function getDeadlineCountdownState(row: DeadlineCountdownFacts, now: Date): DeadlineCountdownState {
  if (row.status === 'invitation_cancelled' || row.status === 'project_cancelled') return { kind: 'cancelled' }
  if (row.status === 'contract_created' || row.movement === 'contract_created') return { kind: 'contracted' }
  if (DECIDED_MOVEMENTS.includes(row.movement)) return { kind: 'decided' }
  const [comment, submission] = [commentOf(row), submissionOf(row)]
  for (const deadline of [comment, submission]) {
    const { day } = deadline
    if (day !== null && getDeadlineEndMs(deadline)! > now.getTime())
      return { kind: 'counting', deadline: { ...deadline, day } }
  }
  if (resultOf(row) !== null) return { kind: 'decided' }
  if (row.is_archived) return { kind: 'delivered' }
  if (submission.day !== null || CLOSED_MOVEMENTS.includes(row.movement)) return { kind: 'closed' }
  return { kind: comment.day === null ? 'undated' : 'drafted' }
}
