import { MAX_TRACKED_WINNERS, SAVED_QUESTION_TOP_COMPANY_COUNT } from '#contract/market/saved-question.ts'
import { addDays } from '#contract/thai/thai-date.ts'

export type SavedQuestionState = {
  /**
   * Day in Bangkok (ISO) of the last check, null before the first. `winners`: ids of all previous winners, ascending;
   * null when there are too many to track.
   */
  readonly checkedOn: string | null
  readonly winners: readonly number[] | null
  readonly leaders: readonly number[]
  readonly newWinners: readonly number[]
  /** The top three companies at the time of the last email; null if they have not changed since. */
  readonly leadersBefore: readonly number[] | null
}

export type WinnerSnapshot = {
  /**
   * The winners of the question. `firstOn`: ISO date of the company's first win within the question; null if unknown.
   */
  readonly winners: readonly { readonly id: number; readonly firstOn: string | null }[]
  readonly ranked: readonly number[]
}

/**
 * Awards are published weeks after they are made. An award older than this at the last check is not new: the question
 * finds it only now because watch lists or sources changed.
 */
const MAX_PUBLICATION_DELAY_DAYS = 60

const haveSameOrder = (a: readonly number[], b: readonly number[]) =>
  a.length === b.length && a.every((id, at) => id === b[at])

/**
 * Returns the new state and the changes since `previous`: ids of companies that won for the first time, and whether the
 * top three changed. Reports nothing on the first check or when a check is repeated.
 */
export function detectSavedQuestionChanges(
  previous: SavedQuestionState,
  current: WinnerSnapshot,
  today: string,
): {
  readonly state: SavedQuestionState
  readonly newWinners: readonly number[]
  readonly haveLeadersChanged: boolean
} {
  const ids = current.winners.map(({ id }) => id)
  const isWide = ids.length > MAX_TRACKED_WINNERS
  const leaders = current.ranked.slice(0, SAVED_QUESTION_TOP_COMPANY_COUNT)
  const ascending = (companyIds: Iterable<number>) => [...companyIds].sort((a, b) => a - b)
  if (previous.checkedOn === null) {
    const winners = isWide ? null : ascending(ids)
    return {
      state: { checkedOn: today, winners, leaders, newWinners: [], leadersBefore: null },
      newWinners: [],
      haveLeadersChanged: false,
    }
  }
  const since = addDays(previous.checkedOn, -MAX_PUBLICATION_DELAY_DAYS)
  const knownWinners = new Set(previous.winners ?? ids)
  const newWinners = isWide
    ? []
    : current.winners
        .filter(({ id, firstOn }) => !knownWinners.has(id) && firstOn !== null && firstOn >= since)
        .map(({ id }) => id)
  const allWinners = new Set([...knownWinners, ...ids])
  const newLeaders = leaders.length === 0 ? previous.leaders : leaders
  const haveLeadersChanged = previous.leaders.length > 0 && !haveSameOrder(newLeaders, previous.leaders)
  const mailedLeaders = previous.leadersBefore ?? previous.leaders
  return {
    state: {
      checkedOn: today,
      winners: isWide || allWinners.size > MAX_TRACKED_WINNERS ? null : ascending(allWinners),
      leaders: newLeaders,
      newWinners: [...previous.newWinners, ...newWinners],
      leadersBefore: mailedLeaders.length === 0 || haveSameOrder(newLeaders, mailedLeaders) ? null : mailedLeaders,
    },
    newWinners,
    haveLeadersChanged,
  }
}

export const hasUnsentQuestionChanges = ({ newWinners, leadersBefore }: SavedQuestionState): boolean =>
  newWinners.length > 0 || leadersBefore !== null
