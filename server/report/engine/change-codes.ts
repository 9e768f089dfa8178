import { BID_STATES, type BidState, CLOSING_SOON_DAYS, type NearDeadlineKind } from '#contract/catalogue/bid-state.ts'
import { createLatestDataLoadPredicate } from '#server/matching/latest-loads.ts'
import type { PreviousReportVisit } from '#server/report/report-scope.ts'
import type { ReportTabMatches } from './match-set.ts'
import { type ProjectColumns, UNKNOWN_DAY_NUMBER } from './project-columns.ts'
import type { ProjectFieldCombinations } from './shared-values.ts'

/**
 * Returns the number of the change status of each match (`CHANGE_STATUSES_BY_NUMBER`) relative to
 * `LATEST_DATA_LOADS_TEXT_SQL`. Same rule as `PROJECT_CHANGE_STATUS_NUMBER_SQL`.
 */
export function computeChangeCodes(
  { rows, firstLoads, changedLoads }: ReportTabMatches,
  columns: ProjectColumns,
  latest: string | null,
) {
  const { isAwarded } = columns.kinds
  const changes = new Uint8Array(rows.length).fill(3)
  const isLatest = createLatestDataLoadPredicate(latest)
  for (let at = 0; at < rows.length; at += 1) {
    const first = firstLoads[at]!
    const changed = changedLoads[at]!
    if (isLatest(first) && isAwarded[columns.kind[rows[at]!]!] === 0) changes[at] = 1
    else if (changed !== first && isLatest(changed)) changes[at] = 2
  }
  return changes
}

/**
 * Returns 1 for each match that is new or updated in a load published after the user's previous visit; all zeros if
 * there was no visit.
 */
export function flagMatchesChangedSinceReportVisit({
  tab: { rows, firstLoads, changedLoads },
  columns,
  visit,
}: {
  readonly tab: ReportTabMatches
  readonly columns: ProjectColumns
  readonly visit: PreviousReportVisit | undefined
}): Uint8Array {
  const flags = new Uint8Array(rows.length)
  if (!visit || visit.loads.length === 0) return flags
  const loads = new Set(visit.loads)
  const oldest = Math.min(...visit.loads)
  const { isAwarded } = columns.kinds
  for (let at = 0; at < rows.length; at += 1) {
    const first = firstLoads[at]!
    const changed = changedLoads[at]!
    if (first < oldest && changed < oldest) continue
    const isNew = loads.has(first) && isAwarded[columns.kind[rows[at]!]!] === 0
    if (isNew || (changed !== first && loads.has(changed))) flags[at] = 1
  }
  return flags
}

/** Returns `getBidState` as an index into `BID_STATES`. `ends` is the bid day. */
export function getBidStateIndex(
  { bidStates }: ProjectFieldCombinations,
  kind: number,
  ends: number,
  today: number,
): number {
  return bidStates[kind * 3 + (ends === UNKNOWN_DAY_NUMBER ? 0 : ends < today ? 1 : 2)]!
}

export function getBidStateAtRow({ kind, kinds, days }: ProjectColumns, row: number, today: number): BidState {
  return BID_STATES[getBidStateIndex(kinds, kind[row]!, days.submission_end_date[row]!, today)]!.code
}

const OPEN_INDEX = BID_STATES.findIndex(({ code }) => code === 'open')
const UPCOMING_INDEX = BID_STATES.findIndex(({ code }) => code === 'upcoming')

type DueFacts = { readonly kind: number; readonly submissionEndsOn: number; readonly discussionEndsOn: number }

export function getPackedNearDeadlineKind(
  kinds: ProjectFieldCombinations,
  facts: DueFacts,
  today: number,
): NearDeadlineKind | undefined {
  const isNear = (day: number) => day >= today && day <= today + CLOSING_SOON_DAYS
  const { kind, submissionEndsOn: ends, discussionEndsOn } = facts
  if (isNear(ends) && getBidStateIndex(kinds, kind, ends, today) === OPEN_INDEX) return 'closing'
  return isNear(discussionEndsOn) && getBidStateIndex(kinds, kind, ends, today) === UPCOMING_INDEX
    ? 'comment'
    : undefined
}

export function getNearDeadlineKindAtRow(
  { kind, kinds, days }: ProjectColumns,
  row: number,
  today: number,
): NearDeadlineKind | undefined {
  const [submissionEndsOn, discussionEndsOn] = [days.submission_end_date[row]!, days.draft_discussion_end_date[row]!]
  return getPackedNearDeadlineKind(kinds, { kind: kind[row]!, submissionEndsOn, discussionEndsOn }, today)
}
