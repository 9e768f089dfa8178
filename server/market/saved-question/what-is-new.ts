import { LEADERS, MOST_KNOWN_WINNERS } from '#contract/market/saved-question.ts'
import { addDays } from '#contract/thai/thai-date.ts'

/** State of a question at its last check. Companies are ids. */
export type Known = {
  /** Bangkok day, ISO; null before the first check. */
  readonly lookedOn: string | null
  /** All previous winners, ascending; null: too many. */
  readonly winners: readonly number[] | null
  /** The first three, in rank order. */
  readonly leaders: readonly number[]
  readonly newWinners: readonly number[]
  /** The first three of the last mail, when they differ from now. */
  readonly leadersBefore: readonly number[] | null
}

export type Found = {
  /** `firstOn`: ISO date of the first win in this question; null: unknown. */
  readonly winners: readonly { readonly id: number; readonly firstOn: string | null }[]
  /** Companies by rank; empty when too few won. */
  readonly ranked: readonly number[]
}

/**
 * Awards are published weeks after they are made. An award older than this before the last check is not new: the
 * question only finds it because watch lists or sources changed.
 */
const AWARD_DAYS = 60

const same = (a: readonly number[], b: readonly number[]) => a.length === b.length && a.every((id, at) => id === b[at])

/**
 * Returns the new state and the changes: `fresh` companies that won for the first time, and whether the first three
 * changed. The first check reports nothing, and repeating a check reports nothing.
 */
export function whatIsNew(
  known: Known,
  found: Found,
  today: string,
): { readonly known: Known; readonly fresh: readonly number[]; readonly isMoved: boolean } {
  const ids = found.winners.map(({ id }) => id)
  const isWide = ids.length > MOST_KNOWN_WINNERS
  const leaders = found.ranked.slice(0, LEADERS)
  const ascending = (all: Iterable<number>) => [...all].sort((a, b) => a - b)
  if (known.lookedOn === null) {
    const winners = isWide ? null : ascending(ids)
    return {
      known: { lookedOn: today, winners, leaders, newWinners: [], leadersBefore: null },
      fresh: [],
      isMoved: false,
    }
  }
  const since = addDays(known.lookedOn, -AWARD_DAYS)
  const before = new Set(known.winners ?? ids)
  const fresh = isWide
    ? []
    : found.winners
        .filter(({ id, firstOn }) => !before.has(id) && firstOn !== null && firstOn >= since)
        .map(({ id }) => id)
  const all = new Set([...before, ...ids])
  // Without a ranking, keep the previous leaders.
  const now = leaders.length === 0 ? known.leaders : leaders
  const isMoved = known.leaders.length > 0 && !same(now, known.leaders)
  const last = known.leadersBefore ?? known.leaders
  return {
    known: {
      lookedOn: today,
      winners: isWide || all.size > MOST_KNOWN_WINNERS ? null : ascending(all),
      leaders: now,
      newWinners: [...known.newWinners, ...fresh],
      leadersBefore: last.length === 0 || same(now, last) ? null : last,
    },
    fresh,
    isMoved,
  }
}

export const hasNews = ({ newWinners, leadersBefore }: Known): boolean =>
  newWinners.length > 0 || leadersBefore !== null
