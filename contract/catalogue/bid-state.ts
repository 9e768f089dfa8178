import { CLOSED_TEXT, DEADLINE_SOON_DAYS } from './time-left.ts'

export const BID_STATES = [
  { code: 'open', th: 'เปิดรับข้อเสนอ' },
  { code: 'upcoming', th: 'กำลังจะมา' },
  { code: 'closed', th: CLOSED_TEXT },
  { code: 'awarded', th: 'ประกาศผล' },
] as const satisfies readonly { readonly code: string; readonly th: string }[]
export type BidState = (typeof BID_STATES)[number]['code']

export const AWARDED_PROJECT_MOVEMENTS: readonly string[] = ['winner_announced', 'winner_amended', 'contract_created']
export const CLOSED_PROJECT_MOVEMENTS: readonly string[] = [
  'bids_closed',
  'winner_cancelled',
  'invitation_cancelled',
  'project_cancelled',
]
export const INVITED_PROJECT_MOVEMENTS: readonly string[] = ['invited', 'invitation_amended']
export const DRAFT_PROJECT_MOVEMENTS: readonly string[] = ['draft_published', 'draft_revised']

export type BidStateFacts<Day> = {
  readonly status: string
  readonly movement: string
  readonly bidding_invite_date: Day | null
  readonly submission_end_date: Day | null
  readonly winner_announce_date: Day | null
}

/**
 * Returns the bid state of a project on a Bangkok day. The first match applies:
 *
 * 1. `awarded`: a winner or a contract exists, regardless of dates.
 * 2. `closed`: cancelled, a movement that ends bidding, or a bid day before today. Bids are still accepted on the bid
 *    day itself.
 * 3. `open`: the project was invited, with or without a published bid day. Evidence is the movement or, after a
 *    reference price or an unknown movement, the invitation date or the bid day, because e-GP publishes a bid day only
 *    in the invitation.
 * 4. `upcoming`: announced but not yet open: a plan, a reference price without a bid day, and every draft. The bid day
 *    of a draft is only planned until the invitation.
 */
export function getBidState<Day extends string | number>(project: BidStateFacts<Day>, today: Day): BidState {
  const { status, movement, submission_end_date: endDate } = project
  if (
    project.winner_announce_date !== null ||
    status === 'contract_created' ||
    AWARDED_PROJECT_MOVEMENTS.includes(movement)
  )
    return 'awarded'
  if (status !== 'in_progress' || CLOSED_PROJECT_MOVEMENTS.includes(movement) || (endDate !== null && endDate < today))
    return 'closed'
  if (INVITED_PROJECT_MOVEMENTS.includes(movement)) return 'open'
  if (DRAFT_PROJECT_MOVEMENTS.includes(movement)) return 'upcoming'
  return endDate !== null || project.bidding_invite_date !== null ? 'open' : 'upcoming'
}

/** Returns whether a team can still prepare or submit a bid. */
export function isActionable<Day extends string | number>(project: BidStateFacts<Day>, today: Day): boolean {
  const state = getBidState(project, today)
  return state === 'open' || state === 'upcoming'
}

export const CLOSING_SOON_DAYS = DEADLINE_SOON_DAYS

export const NEAR_DEADLINE_KINDS = ['closing', 'comment'] as const
export type NearDeadlineKind = (typeof NEAR_DEADLINE_KINDS)[number]
export const NEAR_DEADLINE_LABELS: Readonly<Record<NearDeadlineKind, string>> = {
  closing: 'ใกล้ปิด',
  comment: 'วิจารณ์ร่าง',
}

/**
 * Returns the kind of deadline that a project has by `lastDay`: `closing` is the bid day of an open project, `comment`
 * the end of the comment period of an upcoming one. Projects in other states, such as cancelled ones, have no deadline.
 * `lastDay` is `CLOSING_SOON_DAYS` after `today`.
 */
export function getNearDeadlineKind<Day extends string | number>(
  project: BidStateFacts<Day> & { readonly draft_discussion_end_date: Day | null },
  today: Day,
  lastDay: Day,
): NearDeadlineKind | undefined {
  const isNear = (day: Day | null) => day !== null && day >= today && day <= lastDay
  const state = getBidState(project, today)
  if (state === 'open') return isNear(project.submission_end_date) ? 'closing' : undefined
  return state === 'upcoming' && isNear(project.draft_discussion_end_date) ? 'comment' : undefined
}
