import type { ProjectDetail } from '#contract/report/project-detail.ts'
import { thaiDay } from '#contract/thai/thai-date.ts'

const STAGES = [
  { key: 'draft', name: 'ร่างประกาศ' },
  { key: 'hearing', name: 'สิ้นสุดประชาพิจารณ์' },
  { key: 'invitation', name: 'เชิญชวน' },
  { key: 'submission', name: 'ยื่นข้อเสนอ' },
  { key: 'winner', name: 'ประกาศผู้ชนะ' },
  { key: 'contract', name: 'ทำสัญญา' },
] as const
export type StageKey = (typeof STAGES)[number]['key']
const [DRAFT, HEARING, INVITATION, SUBMISSION, WINNER, CONTRACT] = [0, 1, 2, 3, 4, 5] as const
const NONE = -1

/**
 * `done`: passed. `missing`: passed or skipped, but no date or announcement proves it. `current`: pending. `cancelled`:
 * where the project stopped. `closed`: unreachable after a cancellation.
 */
export type StageState = 'done' | 'missing' | 'current' | 'upcoming' | 'cancelled' | 'closed'

export type Stage = {
  readonly key: StageKey
  readonly name: string
  readonly state: StageState
  readonly date: string | null
  /** No source dates the step; `date` is the latest day on which it can have happened. */
  readonly isUndated: boolean
  readonly time: string | null
  readonly note: string | undefined
}

type Facts = Pick<ProjectDetail, 'announcements' | 'contract_signed_date' | 'contracts'> & {
  readonly row: Pick<
    ProjectDetail['row'],
    | 'movement'
    | 'movement_date'
    | 'is_movement_undated'
    | 'status'
    | 'draft_published_date'
    | 'draft_discussion_end_date'
    | 'bidding_invite_date'
    | 'submission_end_date'
    | 'submission_time'
    | 'winner_announce_date'
  >
}

/** The last stage that each movement proves to be passed; cancellations prove none. */
const PASSED: Readonly<Record<string, number>> = {
  draft_published: DRAFT,
  draft_revised: DRAFT,
  reference_price_published: DRAFT,
  invited: INVITATION,
  invitation_amended: INVITATION,
  bids_closed: SUBMISSION,
  winner_announced: WINNER,
  winner_amended: WINNER,
  winner_cancelled: SUBMISSION,
  contract_created: CONTRACT,
}
const passedBy = (movement: string) => (Object.hasOwn(PASSED, movement) ? PASSED[movement]! : NONE)
const CANCELLATIONS: Readonly<Record<string, string>> = {
  invitation_cancelled: 'ยกเลิกประกาศเชิญชวน',
  project_cancelled: 'ยกเลิกโครงการ',
}

/** Returns the stages of a project. `today` is the Bangkok date, ISO. */
export function stagesOf(facts: Facts, today: string): Stage[] {
  const { row } = facts
  const dates = datesOf(facts)
  const cancelled = cancellationOf(row)
  const passed = cancelled ? passedBeforeEnd(facts, dates) : lastPassed(facts, dates, today)
  const stop = Math.min(passed + 1, CONTRACT)
  const isWinnerGone = !cancelled && row.movement === 'winner_cancelled'
  return STAGES.map(({ key, name }, index) => {
    const state = stateAt(index, { passed, stop, isOver: cancelled !== undefined, isWinnerGone, dates })
    const isStop = cancelled !== undefined && index === stop
    const isGone = isWinnerGone && index === WINNER
    const isUndatedContract =
      index === CONTRACT && row.is_movement_undated === true && row.movement === 'contract_created' && !dates[CONTRACT]
    return {
      key,
      name,
      state,
      date: isStop || isGone ? row.movement_date : (dates[index] ?? (isUndatedContract ? row.movement_date : null)),
      isUndated: row.is_movement_undated === true && (isStop || isUndatedContract),
      time: index === SUBMISSION && !isStop ? row.submission_time : null,
      note: isStop ? cancelled : isGone ? 'ยกเลิกประกาศผู้ชนะ' : noteAt(index, facts),
    }
  })
}

type Course = {
  passed: number
  stop: number
  isOver: boolean
  isWinnerGone: boolean
  dates: readonly (string | null)[]
}

function stateAt(index: number, { passed, stop, isOver, isWinnerGone, dates }: Course): StageState {
  if (isOver && index === stop) return 'cancelled'
  if (index <= passed) return index === passed || dates[index] !== null ? 'done' : 'missing'
  if (isWinnerGone && index === WINNER) return 'cancelled'
  if (isOver) return 'closed'
  // The hearing has no known end or was skipped, so the invitation is next.
  const next = passed === DRAFT && dates[HEARING] === null ? INVITATION : passed + 1
  return index === next ? 'current' : index < next ? 'missing' : 'upcoming'
}

function cancellationOf({ status, movement }: Facts['row']): string | undefined {
  return [movement, status].flatMap((code) => (Object.hasOwn(CANCELLATIONS, code) ? CANCELLATIONS[code]! : []))[0]
}

/** Date of each stage, from the row or else from its first announcement. */
function datesOf({ row, announcements, contract_signed_date, contracts }: Facts): (string | null)[] {
  const announced = (...movements: string[]) =>
    announcements.find(({ movement }) => movements.includes(movement))?.announced_date ?? null
  const signed = contracts.flatMap(({ signed_date }) => signed_date ?? []).toSorted()[0]
  return [
    row.draft_published_date ?? announced('draft_published', 'draft_revised'),
    row.draft_discussion_end_date,
    row.bidding_invite_date ?? announced('invited'),
    row.submission_end_date,
    row.winner_announce_date ?? announced('winner_announced'),
    contract_signed_date ?? signed ?? announced('contract_created'),
  ]
}

function lastPassed({ row }: Facts, dates: readonly (string | null)[], today: string): number {
  if (row.status === 'contract_created') return CONTRACT
  const reached = passedBy(row.movement)
  // Unknown movement: treat stages with a past date as passed.
  const passed = reached === NONE ? furthest(dates, today) : reached
  const isOver = (index: number) => dates[index] !== null && dates[index]! < today
  if (passed === DRAFT && isOver(HEARING)) return HEARING
  if (passed === INVITATION && isOver(SUBMISSION)) return SUBMISSION
  return passed
}

function furthest(dates: readonly (string | null)[], until: string): number {
  return dates.findLastIndex((date) => date !== null && date < until)
}

/** Returns the last stage passed before a cancellation, from earlier announcements and dates. */
function passedBeforeEnd({ row, announcements }: Facts, dates: readonly (string | null)[]): number {
  const end = row.movement_date
  // An undated cancellation does not prove that an earlier period ended, only what was published.
  const seen = row.is_movement_undated ? dates.with(HEARING, null).with(SUBMISSION, null) : dates
  const byDates = end === null ? NONE : furthest(seen, end)
  const last = announcements.findLast(({ movement }) => passedBy(movement) !== NONE)
  const reached = last ? passedBy(last.movement) : NONE
  // A cancelled invitation implies that the project was invited.
  const least = cancellationOf(row) === CANCELLATIONS.invitation_cancelled ? INVITATION : NONE
  return Math.max(byDates, reached, least)
}

function noteAt(index: number, { announcements }: Facts): string | undefined {
  const last = (movement: string) => announcements.findLast((one) => one.movement === movement)?.announced_date
  const say = (text: string, date: string | undefined) => date && `${text} ${thaiDay(date)}`
  switch (index) {
    case DRAFT:
      return say('แก้ไขร่าง', last('draft_revised'))
    case INVITATION:
      return say('ประกาศใหม่หลังยกเลิก', announcedAgain(announcements)) ?? say('แก้ไขประกาศ', last('invitation_amended'))
    case WINNER:
      return say('เปลี่ยนแปลงผู้ชนะ', last('winner_amended'))
    default:
      return undefined
  }
}

/** Returns the date of a new invitation after a cancellation, if any. */
function announcedAgain(announcements: Facts['announcements']): string | undefined {
  const cancelled = announcements.findLastIndex(({ movement }) => Object.hasOwn(CANCELLATIONS, movement))
  if (cancelled === -1) return undefined
  return announcements.slice(cancelled + 1).findLast(({ movement }) => movement === 'invited')?.announced_date
}

export function presentStage(stages: readonly Stage[]): Stage {
  return stages.find(({ state }) => state === 'current' || state === 'cancelled') ?? stages.at(-1)!
}
