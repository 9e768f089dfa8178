import { submissionTime } from '../catalogue/submission-time.ts'
import { addWorkingDays } from '../thai/working-day.ts'
import {
  APPEAL_CLAUSE,
  APPEAL_WORKING_DAYS,
  type AppealFacts,
  appealNote,
  hasAppeal,
  hearingNote,
  type LawClause,
  lawText,
} from './appeal.ts'
import type { ReportRow } from './report.ts'

/** Dates of a tender that somebody has to act by, in the order in which they come. */
export const DEADLINE_KINDS = ['comment', 'question', 'submission', 'result', 'appeal'] as const
export type DeadlineKind = (typeof DEADLINE_KINDS)[number]

export type Deadline = {
  readonly kind: DeadlineKind
  /** ISO date; null while it is neither published nor to be worked out. */
  readonly day: string | null
  /** `HH:mm` each, Bangkok; absent where e-GP publishes a day alone. */
  readonly time?: { readonly from: string; readonly to: string }
  /** Worked out from another date by rule, not published. */
  readonly isEstimate: boolean
  /** The clause that it rests on, where one is known to. */
  readonly law?: LawClause
  /** What follows for a bidder, with its clause. */
  readonly note?: string
}

type DeadlineKindText = {
  readonly name: string
  /** What the date rests on where no clause is named. */
  readonly basis: string
  /** How an estimate is worked out. */
  readonly estimate?: string
}

export const DEADLINE_KIND_TEXTS: Readonly<Record<DeadlineKind, DeadlineKindText>> = {
  comment: { name: 'สิ้นสุดวิจารณ์ร่าง', basis: 'ตามประกาศของหน่วยงาน' },
  question: {
    name: 'ถามรายละเอียดวันสุดท้าย',
    basis: 'ตามประกาศของหน่วยงาน',
    estimate: '3 วันทำการก่อนวันยื่น หน่วยงานต้องเผยแพร่คำชี้แจงไม่ช้ากว่านี้ ควรถามล่วงหน้า',
  },
  submission: { name: 'สิ้นสุดยื่นข้อเสนอ', basis: 'ตามประกาศของหน่วยงาน' },
  result: { name: 'ประกาศผล', basis: 'ตามประกาศของหน่วยงาน' },
  appeal: {
    name: 'ครบกำหนดอุทธรณ์ (ม. 117)',
    basis: lawText(APPEAL_CLAUSE),
    estimate: 'นับ 7 วันทำการหลังประกาศผล ผู้ที่ยื่นข้อเสนอต้องอุทธรณ์เป็นหนังสือภายในวันนั้น',
  },
}

/** What the clock reads of a tender. */
export type ClockFacts = Pick<
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

/** What all dates of a tender are read from: a row of the report has it all. */
export type DeadlineFacts = ClockFacts & AppealFacts

/**
 * Clauses of the Regulation of the Ministry of Finance B.E. 2560 (N4): drafts for comment, explanations, the bid day. They stand in its part
 * on e-bidding; of another method only what the agency published is said.
 */
const regulationOf = ({ method }: ClockFacts, clause: string): Pick<Deadline, 'law'> =>
  method === 'e_bidding' ? { law: { law: 'regulation_2560', clause } } : {}

/** Clause 52: explanations are published at least so many working days before the bid day. */
const EXPLANATION_WORKING_DAYS = 3

/** Day of the result that stands; one that was cancelled starts no appeal. */
const resultOf = ({ movement, winner_announce_date }: ClockFacts) =>
  movement === 'winner_cancelled' ? null : winner_announce_date

function commentOf(row: ClockFacts): Deadline {
  const day = row.draft_discussion_end_date
  const note = hearingNote(row.method, day)
  return { kind: 'comment', day, isEstimate: false, ...regulationOf(row, '45'), ...(note !== undefined && { note }) }
}

function submissionOf(row: ClockFacts): Deadline {
  const time = submissionTime(row.submission_time)
  return {
    kind: 'submission',
    day: row.submission_end_date,
    ...(time && { time }),
    isEstimate: false,
    ...regulationOf(row, '54'),
  }
}

/** All dates of a tender (N4), those that are not known yet too; an appeal only where its method has one. */
export function deadlinesOf(row: DeadlineFacts): Deadline[] {
  const submission = submissionOf(row)
  const result = resultOf(row)
  const question: Deadline = {
    kind: 'question',
    day: submission.day && addWorkingDays(submission.day, -EXPLANATION_WORKING_DAYS),
    isEstimate: true,
    ...regulationOf(row, '52'),
  }
  const appeal: Deadline = {
    kind: 'appeal',
    day: result && addWorkingDays(result, APPEAL_WORKING_DAYS),
    isEstimate: true,
    law: APPEAL_CLAUSE,
    note: appealNote(row),
  }
  return [
    commentOf(row),
    ...(row.method === 'e_bidding' ? [question] : []),
    submission,
    { kind: 'result', day: result, isEstimate: false },
    ...(hasAppeal(row) ? [appeal] : []),
  ]
}

/** What a date rests on: the clause, else who published it. */
export const basisText = ({ kind, law }: Pick<Deadline, 'kind' | 'law'>): string =>
  law ? lawText(law) : DEADLINE_KIND_TEXTS[kind].basis

/** The instant at which a deadline has passed: its time, or the end of its day. */
export function endOf({ day, time }: Pick<Deadline, 'day' | 'time'>): number | undefined {
  if (day === null) return undefined
  return time ? Date.parse(`${day}T${time.to}:00+07:00`) : Date.parse(`${day}T23:59:59.999+07:00`) + 1
}

/** Where a tender stands for somebody who looks at the clock. */
export type ClockState =
  | { readonly kind: 'counting'; readonly deadline: Deadline & { readonly day: string } }
  | { readonly kind: 'cancelled' | 'contracted' | 'decided' | 'closed' | 'drafted' | 'delivered' | 'undated' }

const DECIDED = ['winner_announced', 'winner_amended']
/** Bids are in, whether or not e-GP says until when they could be. */
const PAST_BIDS = ['bids_closed', 'winner_cancelled']

/** The next date that counts (end of comments, else end of submission), or why nothing is counted. */
export function clockState(row: ClockFacts, now: Date): ClockState {
  if (row.status === 'invitation_cancelled' || row.status === 'project_cancelled') return { kind: 'cancelled' }
  if (row.status === 'contract_created' || row.movement === 'contract_created') return { kind: 'contracted' }
  if (DECIDED.includes(row.movement)) return { kind: 'decided' }
  const [comment, submission] = [commentOf(row), submissionOf(row)]
  for (const deadline of [comment, submission]) {
    const { day } = deadline
    if (day !== null && endOf(deadline)! > now.getTime()) return { kind: 'counting', deadline: { ...deadline, day } }
  }
  if (resultOf(row) !== null) return { kind: 'decided' }
  if (row.is_archived) return { kind: 'delivered' }
  if (submission.day !== null || PAST_BIDS.includes(row.movement)) return { kind: 'closed' }
  return { kind: comment.day === null ? 'undated' : 'drafted' }
}
