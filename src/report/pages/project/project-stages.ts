import type { ProjectDetail } from '#contract/report/project-detail.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'

const STAGES = [
  { key: 'draft', name: 'ร่างประกาศ' },
  { key: 'hearing', name: 'สิ้นสุดวิจารณ์ร่าง' },
  { key: 'invitation', name: 'เชิญชวน' },
  { key: 'submission', name: 'ยื่นข้อเสนอ' },
  { key: 'winner', name: 'ประกาศผู้ชนะ' },
  { key: 'contract', name: 'ทำสัญญา' },
] as const
export type ProjectStageKey = (typeof STAGES)[number]['key']
const [DRAFT, HEARING, INVITATION, SUBMISSION, WINNER, CONTRACT] = [0, 1, 2, 3, 4, 5] as const
const NONE = -1

/**
 * `done`: passed. `missing`: passed or skipped, but no date or announcement proves it. `current`: pending. `cancelled`:
 * where the project stopped. `closed`: unreachable after a cancellation.
 */
export type ProjectStageState = 'done' | 'missing' | 'current' | 'upcoming' | 'cancelled' | 'closed'

export type ProjectStage = {
  readonly key: ProjectStageKey
  readonly name: string
  readonly state: ProjectStageState
  readonly date: string | null
  /** True if no source dates the stage; `date` is then the latest day on which it can have happened. */
  readonly isUndated: boolean
  readonly time: string | null
  readonly note: string | undefined
}

type StageFacts = Pick<ProjectDetail, 'announcements' | 'contract_signed_date' | 'contracts'> & {
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

/** The last stage that each movement proves to be passed; cancellations prove no stage. */
const LAST_PASSED_STAGE: Readonly<Record<string, number>> = {
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
const passedBy = (movement: string) =>
  Object.hasOwn(LAST_PASSED_STAGE, movement) ? LAST_PASSED_STAGE[movement]! : NONE
const CANCELLATIONS: Readonly<Record<string, string>> = {
  invitation_cancelled: 'ยกเลิกประกาศเชิญชวน',
  project_cancelled: 'ยกเลิกโครงการ',
}

export function computeProjectStages(facts: StageFacts, today: string): ProjectStage[] {
  const { row } = facts
  const dates = datesOf(facts)
  const cancelled = cancellationOf(row)
  const passed = cancelled ? passedBeforeEnd(facts, dates) : lastPassed(facts, dates, today)
  const stop = Math.min(passed + 1, CONTRACT)
  const isWinnerCancelled = !cancelled && row.movement === 'winner_cancelled'
  const stateAt = (index: number): ProjectStageState => {
    if (cancelled !== undefined && index === stop) return 'cancelled'
    if (index <= passed) return index === passed || dates[index] !== null ? 'done' : 'missing'
    if (isWinnerCancelled && index === WINNER) return 'cancelled'
    if (cancelled !== undefined) return 'closed'
    // Without an end date the hearing may have been skipped, so the invitation counts as the current stage.
    const current = passed === DRAFT && dates[HEARING] === null ? INVITATION : passed + 1
    return index === current ? 'current' : index < current ? 'missing' : 'upcoming'
  }
  return STAGES.map(({ key, name }, index) => {
    const isStop = cancelled !== undefined && index === stop
    const isCancelledWinner = isWinnerCancelled && index === WINNER
    const isUndatedContract =
      index === CONTRACT && row.is_movement_undated === true && row.movement === 'contract_created' && !dates[CONTRACT]
    return {
      key,
      name,
      state: stateAt(index),
      date:
        isStop || isCancelledWinner
          ? row.movement_date
          : (dates[index] ?? (isUndatedContract ? row.movement_date : null)),
      isUndated: row.is_movement_undated === true && (isStop || isUndatedContract),
      time: index === SUBMISSION && !isStop ? row.submission_time : null,
      note: isStop ? cancelled : isCancelledWinner ? 'ยกเลิกประกาศผู้ชนะ' : noteAt(index, facts),
    }
  })
}

function cancellationOf({ status, movement }: StageFacts['row']): string | undefined {
  return [movement, status].flatMap((code) => (Object.hasOwn(CANCELLATIONS, code) ? CANCELLATIONS[code]! : []))[0]
}

function datesOf({ row, announcements, contract_signed_date, contracts }: StageFacts): (string | null)[] {
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

function lastPassed({ row }: StageFacts, dates: readonly (string | null)[], today: string): number {
  if (row.status === 'contract_created') return CONTRACT
  const reached = passedBy(row.movement)
  const passed = reached === NONE ? lastStageBefore(dates, today) : reached
  const isOver = (index: number) => dates[index] !== null && dates[index]! < today
  if (passed === DRAFT && isOver(HEARING)) return HEARING
  if (passed === INVITATION && isOver(SUBMISSION)) return SUBMISSION
  return passed
}

function lastStageBefore(dates: readonly (string | null)[], until: string): number {
  return dates.findLastIndex((date) => date !== null && date < until)
}

function passedBeforeEnd({ row, announcements }: StageFacts, dates: readonly (string | null)[]): number {
  const cancelledOn = row.movement_date
  // A cancellation without a date proves only that earlier stages were published, not that they ended.
  const provenDates = row.is_movement_undated ? dates.with(HEARING, null).with(SUBMISSION, null) : dates
  const byDates = cancelledOn === null ? NONE : lastStageBefore(provenDates, cancelledOn)
  const lastProof = announcements.findLast(({ movement }) => passedBy(movement) !== NONE)
  const reached = lastProof ? passedBy(lastProof.movement) : NONE
  // A cancelled invitation implies that the invitation had been published.
  const minStage = cancellationOf(row) === CANCELLATIONS.invitation_cancelled ? INVITATION : NONE
  return Math.max(byDates, reached, minStage)
}

function noteAt(index: number, { announcements }: StageFacts): string | undefined {
  const lastDateOf = (movement: string) =>
    announcements.findLast((announcement) => announcement.movement === movement)?.announced_date
  const noteText = (text: string, date: string | undefined) => date && `${text} ${formatThaiDateShortOrOriginal(date)}`
  switch (index) {
    case DRAFT:
      return noteText('แก้ไขร่าง', lastDateOf('draft_revised'))
    case INVITATION:
      return (
        noteText('ประกาศใหม่หลังยกเลิก', reannouncementDate(announcements)) ??
        noteText('แก้ไขประกาศ', lastDateOf('invitation_amended'))
      )
    case WINNER:
      return noteText('เปลี่ยนแปลงผู้ชนะ', lastDateOf('winner_amended'))
    default:
      return undefined
  }
}

function reannouncementDate(announcements: StageFacts['announcements']): string | undefined {
  const cancelled = announcements.findLastIndex(({ movement }) => Object.hasOwn(CANCELLATIONS, movement))
  if (cancelled === -1) return undefined
  return announcements.slice(cancelled + 1).findLast(({ movement }) => movement === 'invited')?.announced_date
}

export function findCurrentProjectStage(stages: readonly ProjectStage[]): ProjectStage {
  return stages.find(({ state }) => state === 'current' || state === 'cancelled') ?? stages.at(-1)!
}
