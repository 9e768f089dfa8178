import { LRUCache } from 'lru-cache'
import { EVIDENCE_DAYS } from '#contract/matching/term-evidence.ts'
import { addDays, bangkokToday } from '#contract/thai/thai-date.ts'
import { searchForm } from '#contract/thai/thai-text.ts'
import { bordersOf, isWholeWord, needsWordBorders } from '#server/matching/meaning/word-borders.ts'
import { newestLoad, newestMovement } from '#server/matching/queries/impact.ts'
import { TimeSlice } from '#server/matching/time-slice.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { asOwnerBeside, inEachPlace } from '#server/platform/engine/tenant.ts'
import { compileKeywords } from '#server/platform/text/word-trie.ts'
import { countMoved, loadMovedTitles, type MovedTitle } from './queries.ts'

/**
 * Maximum titles cached: 11 MB with word borders, scanned per keyword in 0.05 to 0.25 s. A year of e-GP has 1.4
 * million, so this is 1 %.
 */
const MOST = 20_000
/** A year of evidence hardly changes with one night's loads, and reading it takes a second. */
const GOOD_FOR_MS = 60 * 60_000
const BATCH = 2_000
/** Cached title indexes over all terms: 32 MB. A keyword's term has a few hundred, one of two letters up to 20,000. */
const MAX_CACHED_PLACES = 4_000_000
/** Word borders by title, precomputed because they dominate the cost of short terms. */
type Borders = Map<string, Uint8Array>
const BLOCK = 64

export type YearTitles = {
  readonly load: number | undefined
  readonly from: string | null
  readonly to: string | null
  readonly share: number
  readonly titles: readonly MovedTitle[]
  /** Returns for each term the ascending indexes of titles that match it, by the matching rules of the report. */
  placesOf(terms: readonly string[]): Promise<ReadonlyMap<string, readonly number[]>>
}

/** Returns the titles of the last 365 days, loaded on first use and cached for an hour. */
export type YearTitlesCache = () => Promise<YearTitles>

export function createYearTitles(db: Db, now: () => Date, most = MOST): YearTitlesCache {
  const year = inEachPlace(() => createYearCache(db, now, most))
  return () => year()()
}

function createYearCache(db: Db, now: () => Date, most: number): YearTitlesCache {
  let kept: YearTitles | undefined
  let readAt = 0
  let reading: Promise<YearTitles> | undefined
  return async () => {
    const age = now().getTime() - readAt
    if (kept && age >= 0 && age < GOOD_FOR_MS) return kept
    const load = await newestLoad(db)
    if (kept && kept.load === load?.id) {
      readAt = now().getTime()
      return kept
    }
    kept = undefined
    // Concurrent callers share one load, which serves every organisation with access to the same tables.
    reading ??= asOwnerBeside(() => readYear(db, { load: load?.id, today: bangkokToday(now()), most }))
      .then((read) => {
        kept = read
        readAt = now().getTime()
        return read
      })
      .finally(() => {
        reading = undefined
      })
    return reading
  }
}

type Reading = { readonly load: number | undefined; readonly today: string; readonly most: number }

async function readYear(db: Db, { load, today, most }: Reading): Promise<YearTitles> {
  const to = await newestMovement(db, today)
  if (to === undefined) return yearOf({ load, from: null, to: null, share: 1 }, [])
  const from = addDays(to, 1 - EVIDENCE_DAYS)
  const count = await countMoved(db, { from, to })
  const hundredths = Math.max(1, Math.min(100, Math.floor((100 * most) / Math.max(1, count))))
  const titles: MovedTitle[] = []
  const dates = new Map<string, string>()
  const borders: Borders = new Map()
  const timeSlice = new TimeSlice()
  while (titles.length < most) {
    const limit = Math.min(BATCH, most - titles.length)
    const rows = await loadMovedTitles(db, { from, to, hundredths, after: titles.at(-1), limit })
    if (rows.length === 0) break
    for (const row of rows) {
      // Intern the 365 date strings.
      const movement_on = dates.get(row.movement_on) ?? row.movement_on
      dates.set(movement_on, movement_on)
      titles.push({ ...row, movement_on })
      borders.set(row.name_search, bordersOf(row.name_search))
      const pause = timeSlice.yieldIfDue()
      if (pause) await pause
    }
  }
  // The limit was reached despite sampling, so compute the share from the rows read.
  const share = hundredths === 100 ? 1 : Math.min(1, titles.length / Math.max(1, count))
  return yearOf({ load, from, to, share }, titles, borders)
}

function yearOf(
  facts: Omit<YearTitles, 'titles' | 'placesOf'>,
  titles: readonly MovedTitle[],
  borders: Borders = new Map(),
): YearTitles {
  const known = new LRUCache<string, readonly number[]>({
    maxSize: MAX_CACHED_PLACES,
    sizeCalculation: ({ length }) => length + 1,
  })
  return {
    ...facts,
    titles,
    async placesOf(terms) {
      const wanted = [...new Set(terms)]
      const found = new Map<string, readonly number[]>()
      for (const term of wanted) {
        const places = known.get(term)
        if (places) found.set(term, places)
      }
      const missing = wanted.filter((term) => !found.has(term))
      for (const [term, places] of await findPlaces(titles, missing, borders)) {
        known.set(term, places)
        found.set(term, places)
      }
      return found
    },
  }
}

export async function findPlaces(
  titles: readonly Pick<MovedTitle, 'name_search'>[],
  terms: readonly string[],
  borders?: Borders,
): Promise<Map<string, number[]>> {
  const isWhole = (text: string, start: number, end: number) => {
    const own = borders?.get(text)
    return own === undefined ? isWholeWord(text, start, end) : own[start] === 1 && own[end] === 1
  }
  const found = new Map(terms.map((term): [string, number[]] => [term, []]))
  if (terms.length === 0) return found
  const keywords = terms.map((term) => {
    return { id: term, alone: [{ text: term, wholeWord: needsWordBorders(searchForm(term)) }], sides: [] }
  })
  const matcher = compileKeywords<string>([], { keywords, isWholeWord: isWhole })
  const timeSlice = new TimeSlice()
  for (let place = 0; place < titles.length; place += 1) {
    const { name_search } = titles[place]!
    // Terms are unquoted, so the spaced form is not needed.
    for (const { id } of matcher.match(name_search, '')) found.get(id)!.push(place)
    const pause = place % BLOCK === 0 ? timeSlice.yieldIfDue() : undefined
    if (pause) await pause
  }
  return found
}
