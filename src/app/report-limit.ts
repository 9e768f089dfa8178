/** Reports of one kind in a minute; the tracker counts the rest of them by these. */
const MOST_OF_A_KIND = 3
const WINDOW_MS = 60_000
/** Reports of a page in its whole life. */
const MOST_OF_A_PAGE = 50

/**
 * Whether one more report of a kind may leave: what fails in a loop, a render that is tried again and again or a server that is down, is told a few
 * times and not thousands.
 */
export function createReportLimit(now: () => number = Date.now): (kind: string) => boolean {
  const kinds = new Map<string, { since: number; told: number }>()
  let told = 0
  return (kind) => {
    if (told >= MOST_OF_A_PAGE) return false
    const known = kinds.get(kind)
    const current = known && now() - known.since < WINDOW_MS ? known : { since: now(), told: 0 }
    if (current.told >= MOST_OF_A_KIND) return false
    current.told += 1
    told += 1
    kinds.set(kind, current)
    return true
  }
}
