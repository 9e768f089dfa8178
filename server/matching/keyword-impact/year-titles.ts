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

/** Titles kept at most: 11 MB, their word borders included, read through for a keyword in 0.05 to 0.25 s. A year of e-GP is 1.4 million, of which these are 1 %. */
const MOST = 20_000
/** Evidence of a year hardly moves with the loads of a night, and reading it takes a second. */
const GOOD_FOR_MS = 60 * 60_000
const BATCH = 2_000
/** Places of titles that are cached, over all terms: 32 MB. A term of a keyword has a few hundred, one of two letters up to 20,000. */
const MAX_CACHED_PLACES = 4_000_000
/** Word borders by title: finding them is most of what a question by short terms costs. */
type Borders = Map<string, Uint8Array>
/** Titles between two looks at the clock. */
const BLOCK = 64

/** Titles of the last year, newest first, as of one load. */
export type YearTitles = {
  readonly load: number | undefined
  readonly from: string | null
  readonly to: string | null
  /** Which part of the year's titles are here. */
  readonly share: number
  readonly titles: readonly MovedTitle[]
  /** Places of the titles that hold each of these terms, ascending, by the rule by which terms match. */
  placesOf(terms: readonly string[]): Promise<ReadonlyMap<string, readonly number[]>>
}

/** Answers the titles of the last 365 days: read at the first question, then kept for an hour. `now` says which day is today. */
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
    // Whoever asks meanwhile waits for the same reading, which serves every organisation that sees the same tables.
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
      // One string for each of the 365 dates.
      const movement_on = dates.get(row.movement_on) ?? row.movement_on
      dates.set(movement_on, movement_on)
      titles.push({ ...row, movement_on })
      borders.set(row.name_search, bordersOf(row.name_search))
      const pause = timeSlice.yieldIfDue()
      if (pause) await pause
    }
  }
  // Full although a hundredth was asked for: the share is of what was read.
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

/** Places of the titles that hold each of the terms. Each term is a keyword of its own to the matcher that fills the report. */
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
    // Terms are unquoted: the spelling with blanks is not looked at.
    for (const { id } of matcher.match(name_search, '')) found.get(id)!.push(place)
    const pause = place % BLOCK === 0 ? timeSlice.yieldIfDue() : undefined
    if (pause) await pause
  }
  return found
}
