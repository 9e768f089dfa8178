import { SOON_DAYS } from './time-left.ts'

/** Whether a project takes bids: what a bidder wants to know first. On any day each project is in exactly one state. */
export const BID_STATES = [
  { code: 'open', th: 'เปิดรับข้อเสนอ' },
  { code: 'upcoming', th: 'กำลังจะมา' },
  { code: 'closed', th: 'ปิดรับแล้ว' },
  { code: 'awarded', th: 'ประกาศผล' },
] as const satisfies readonly { readonly code: string; readonly th: string }[]
export type BidState = (typeof BID_STATES)[number]['code']

/** Steps after which the winner is known. */
export const AWARDED_MOVEMENTS: readonly string[] = ['winner_announced', 'winner_amended', 'contract_created']
/** Steps that end the time of bids without a winner. */
export const CLOSED_MOVEMENTS: readonly string[] = [
  'bids_closed',
  'winner_cancelled',
  'invitation_cancelled',
  'project_cancelled',
]
export const INVITED_MOVEMENTS: readonly string[] = ['invited', 'invitation_amended']
export const DRAFT_MOVEMENTS: readonly string[] = ['draft_published', 'draft_revised']

/** Days are ISO dates, or numbers that count days. */
export type BidFacts<Day> = {
  readonly status: string
  readonly movement: string
  readonly bidding_invite_date: Day | null
  readonly submission_end_date: Day | null
  readonly winner_announce_date: Day | null
}

/**
 * Returns the bid state of a project on a day in Bangkok. The first of these that applies:
 *
 * 1. `awarded`: a winner or a contract is known, whatever the dates say.
 * 2. `closed`: cancelled, a step that ends the time of bids, or a bid day before today. On the bid day itself bids are still taken.
 * 3. `open`: the project was invited, with or without a known bid day. Evidence is the step, or, behind a reference price or a step that the catalogue
 *    lacks, the date of the invitation or the bid day: e-GP announces a bid day in the invitation alone.
 * 4. `upcoming`: announced, but nobody can bid yet. That is a plan, a reference price without a bid day, and every draft: its bid day, if a source states
 *    one, is a plan until the invitation.
 */
export function bidStateOf<Day extends string | number>(project: BidFacts<Day>, today: Day): BidState {
  const { status, movement, submission_end_date: ends } = project
  if (project.winner_announce_date !== null || status === 'contract_created' || AWARDED_MOVEMENTS.includes(movement))
    return 'awarded'
  if (status !== 'in_progress' || CLOSED_MOVEMENTS.includes(movement) || (ends !== null && ends < today))
    return 'closed'
  if (INVITED_MOVEMENTS.includes(movement)) return 'open'
  if (DRAFT_MOVEMENTS.includes(movement)) return 'upcoming'
  return ends !== null || project.bidding_invite_date !== null ? 'open' : 'upcoming'
}

/** A deadline is near this many days ahead, today included. */
export const CLOSING_DAYS = SOON_DAYS

/** Near deadlines, as the chips, the morning queue, mails and messages name them. A project has one at most. */
export const DUE_KINDS = ['closing', 'comment'] as const
export type DueKind = (typeof DUE_KINDS)[number]
export const DUE_TEXTS: Readonly<Record<DueKind, string>> = { closing: 'ใกล้ปิด', comment: 'วิจารณ์ร่าง' }

/**
 * Returns which deadline of a project is near: the bid day of an open one (`closing`), or the end of the comments of an upcoming one (`comment`). A bid day
 * of a project that is not open, such as a cancelled one, is no deadline. `lastDay`: the last near day, `CLOSING_DAYS` after `today`.
 */
export function dueKindOf<Day extends string | number>(
  project: BidFacts<Day> & { readonly draft_discussion_end_date: Day | null },
  today: Day,
  lastDay: Day,
): DueKind | undefined {
  const isNear = (day: Day | null) => day !== null && day >= today && day <= lastDay
  const state = bidStateOf(project, today)
  if (state === 'open') return isNear(project.submission_end_date) ? 'closing' : undefined
  return state === 'upcoming' && isNear(project.draft_discussion_end_date) ? 'comment' : undefined
}
