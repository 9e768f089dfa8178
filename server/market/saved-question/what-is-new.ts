import { LEADERS, MOST_KNOWN_WINNERS } from '#contract/market/saved-question.ts'
import { addDays } from '#contract/thai/thai-date.ts'

/** What is known of a question since it was last looked at. Companies by their ids. */
export type Known = {
  /** Bangkok day, ISO; null before the first look. */
  readonly lookedOn: string | null
  /** Who ever won in it, ascending; null: too many. */
  readonly winners: readonly number[] | null
  /** The first three, in their order. */
  readonly leaders: readonly number[]
  /** Winners that no mail has told yet. */
  readonly newWinners: readonly number[]
  /** The first three that the last mail knew, while they are others now. */
  readonly leadersBefore: readonly number[] | null
}

/** What a question finds now. */
export type Found = {
  /** `firstOn`: ISO date of the first win in this question, null: not known. */
  readonly winners: readonly { readonly id: number; readonly firstOn: string | null }[]
  /** The ranked companies, the first ones of which lead; none where too few won. */
  readonly ranked: readonly number[]
}

/**
 * An award is published weeks after it was made. One that is older than this at the last look was not made since: the question finds it because watch lists
 * or sources changed, and it is no news.
 */
const AWARD_DAYS = 60

const same = (a: readonly number[], b: readonly number[]) => a.length === b.length && a.every((id, at) => id === b[at])

/**
 * What is known after a look, and what the look found: `fresh` companies that never won before, and whether the first three are others. The first look tells
 * nothing. The same look twice finds nothing the second time.
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
  // What is not ranked any more says nothing of who leads.
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

/** Whether there is something that no mail has told. */
export const hasNews = ({ newWinners, leadersBefore }: Known): boolean =>
  newWinners.length > 0 || leadersBefore !== null
