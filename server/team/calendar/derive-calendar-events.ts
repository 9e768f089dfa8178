import { createHash } from 'node:crypto'
import { isCancelledProjectStatus } from '#contract/catalogue/project.ts'
import { DEADLINE_KINDS, type DeadlineKind } from '#contract/report/deadline-kind.ts'
import {
  BID_PREPARATION_DEADLINE_KINDS,
  DEADLINE_KIND_TEXTS,
  type DeadlineFacts,
  formatDeadlineLegalBasis,
  getProjectDeadlines,
} from '#contract/report/deadlines.ts'
import type { CalendarEvent, CalendarProject } from '#contract/team/calendar.ts'
import { getProvinceName } from '#contract/thai/province.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { TERMINATED_CONTRACT_STATUS } from '#server/platform/text/contract-status.ts'
import { satangToBaht } from '#server/platform/text/satang-to-baht.ts'
import type { CalendarDayRange, StoredCalendarProject } from './queries.ts'

export const toProjectDeadlineFacts = (project: StoredCalendarProject): DeadlineFacts => ({
  project_id: project.project_id,
  method: project.method,
  status: project.status,
  movement: project.movement,
  draft_discussion_end_date: project.draft_discussion_ends_on,
  submission_end_date: project.submission_ends_on,
  submission_time: project.submission_time,
  winner_announce_date: project.winner_announced_on,
  is_archived: project.is_archived,
  name: project.name,
  remark: project.remark,
  budget: satangToBaht(project.budget_satang),
  decision: project.decision,
  draft_commented_on: project.draft_commented_on,
  contract_signed_date: project.contract_signed_on,
  contract_ends: project.contracts.map(({ ends_on }) => ends_on),
  document_facts: project.document_facts,
})

/** Hashes the contract number for use in an event id, because it may contain any character. */
const contractKey = (contractNo: string) => createHash('sha256').update(contractNo).digest('base64url').slice(0, 8)

/**
 * A project with more end days than this gets one event per month, because framework contracts have hundreds of end
 * days.
 */
const MAX_CONTRACT_DAYS = 12
const MAX_CONTRACT_NUMBERS = 5

type Contract = StoredCalendarProject['contracts'][number]

/**
 * Returns one event for contracts ending on the same day. Its id derives from the first contract number, so that the
 * event moves with that contract.
 */
function contractEnds(
  { project_id, status, contracts }: StoredCalendarProject,
  { from, to }: CalendarDayRange,
): CalendarEvent[] {
  const inRange = contracts.filter(({ ends_on }) => ends_on >= from && ends_on <= to)
  const isOff = (contract: Contract) => status === 'project_cancelled' || contract.status === TERMINATED_CONTRACT_STATUS
  const days = new Set(inRange.map(({ ends_on }) => ends_on))
  const length = days.size > MAX_CONTRACT_DAYS ? 'yyyy-mm'.length : 'yyyy-mm-dd'.length
  const groups = Map.groupBy(inRange, (contract) => `${contract.ends_on.slice(0, length)} ${isOff(contract)}`)
  return [...groups.values()].map((group): CalendarEvent => {
    const endDays = group.map(({ ends_on }) => ends_on).toSorted()
    return {
      id: `${project_id}-contract_end-${contractKey(group[0]!.contract_no)}`,
      project_id,
      kind: 'contract_end',
      day: endDays[0]!,
      time: null,
      is_estimate: false,
      basis: DEADLINE_KIND_TEXTS.contract_end.basis,
      note: contractNote(group, endDays.at(-1)!),
      is_cancelled: isOff(group[0]!),
      ...(group.length > 1 && { contract_count: group.length }),
    }
  })
}

function contractNote(group: readonly Contract[], lastDay: string): string {
  const numbers = [...new Set(group.map(({ contract_no }) => contract_no.trim()))].filter((no) =>
    /[\p{L}\p{N}]/u.test(no),
  )
  const unlistedCount = group.length - Math.min(numbers.length, MAX_CONTRACT_NUMBERS)
  const listedNumbers = numbers.slice(0, MAX_CONTRACT_NUMBERS).join(', ')
  const until = group.some(({ ends_on }) => ends_on !== lastDay)
    ? ` สิ้นสุดถึง ${formatThaiDateShortOrOriginal(lastDay)}`
    : ''
  if (listedNumbers === '') return group.length > 1 ? `${group.length} สัญญา ไม่ระบุเลขที่${until}` : 'ไม่ระบุเลขที่สัญญา'
  return `สัญญาเลขที่ ${listedNumbers}${unlistedCount > 0 ? ` และอีก ${unlistedCount} ฉบับ` : ''}${until}`
}

/** Dates that are withdrawn when a result is cancelled. */
const RESULT_KINDS: readonly DeadlineKind[] = ['result', 'appeal', 'appeal_decision', 'appeal_board', 'signing']

/**
 * Returns all dates of a project in range: published dates, dates derived from them by rule, and contract ends. Dates
 * of cancelled projects stay and are marked as cancelled, so that subscribers see the cancellation. A cancelled result
 * keeps its announcement day and the appeal deadline.
 */
export function deriveCalendarEvents(project: StoredCalendarProject, { from, to }: CalendarDayRange): CalendarEvent[] {
  const { project_id, status, movement } = project
  const isOver = isCancelledProjectStatus(status)
  const isResultCancelled = movement === 'winner_cancelled'
  const facts = toProjectDeadlineFacts(project)
  // `getProjectDeadlines` returns no dates for a cancelled result, so compute them as if the result were still valid.
  const dates = getProjectDeadlines(isResultCancelled ? { ...facts, movement: 'winner_announced' } : facts)
  const isBid = project.decision === 'bid'
  const deadlines = dates.flatMap((deadline): CalendarEvent[] => {
    const { kind, day, time, isEstimate, note } = deadline
    // `contractEnds` returns one event per contract, with its number.
    const isOmitted = kind === 'contract_end' || (BID_PREPARATION_DEADLINE_KINDS.includes(kind) && !isBid)
    if (day === null || isOmitted) return []
    return [
      {
        id: `${project_id}-${kind}`,
        project_id,
        kind,
        day,
        time: time ?? null,
        is_estimate: isEstimate,
        basis: formatDeadlineLegalBasis(deadline),
        ...(note !== undefined && { note }),
        is_cancelled: isOver || (isResultCancelled && RESULT_KINDS.includes(kind)),
      },
    ]
  })
  return [...deadlines.filter(({ day }) => day >= from && day <= to), ...contractEnds(project, { from, to })]
}

export function compareCalendarEventsByDay(a: CalendarEvent, b: CalendarEvent): number {
  if (a.day !== b.day) return a.day < b.day ? -1 : 1
  const kinds = DEADLINE_KINDS.indexOf(a.kind) - DEADLINE_KINDS.indexOf(b.kind)
  if (kinds !== 0) return kinds
  return a.id < b.id ? -1 : 1
}

export const presentCalendarProject = (project: StoredCalendarProject): CalendarProject => ({
  project_id: project.project_id,
  name: project.name,
  dept_name: project.dept_name,
  dept_sub_name: project.dept_sub_name,
  province: getProvinceName(project.province),
  budget: satangToBaht(project.budget_satang),
  is_starred: project.is_starred,
  decision: project.decision,
  owner: project.owner,
})
