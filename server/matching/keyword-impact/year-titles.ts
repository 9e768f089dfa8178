import { LRUCache } from 'lru-cache'
import { KEYWORD_TERM_EVIDENCE_DAYS } from '#contract/matching/term-evidence.ts'
import { addDays, getBangkokToday } from '#contract/thai/thai-date.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import { findWordBoundaries, isWholeWord, requiresWordBoundaries } from '#server/matching/meaning/word-borders.ts'
import { createPublishedDataCache } from '#server/matching/published-data-cache.ts'
import { findNewestMovementDate } from '#server/matching/queries/impact.ts'
import { TimeSlicer } from '#server/matching/time-slicer.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { compileKeywordMatcher } from '#server/platform/text/keyword-matcher.ts'
import {
  computeSampledHundredths,
  countTitlesByMovementDate,
  type DatedProjectTitle,
  loadTitlesByMovementDate,
} from './queries.ts'

/**
 * Maximum titles loaded. 20,000 take 11 MB with word borders and 0.05 to 0.25 s to scan per keyword. A year of e-GP has
 * 1.4 million, so this is 1 %.
 */
const MAX_TITLES = 20_000
/**
 * Lifetime of the cached titles. A year of evidence hardly changes with one night's loads, and loading it takes a
 * second.
 */
const CACHE_TTL_MS = 60 * 60_000
const BATCH_SIZE = 2_000
/**
 * Maximum title indexes cached over all terms: 32 MB. A term of a keyword has a few hundred, a term of two letters up
 * to 20,000.
 */
const MAX_CACHED_INDEXES = 4_000_000
/** Word borders by title, precomputed because finding them dominates the cost of matching short terms. */
type Borders = Map<string, Uint8Array>
const BLOCK_SIZE = 64

export type RecentYearProjectTitles = {
  readonly load: number | undefined
  readonly from: string | null
  readonly to: string | null
  readonly share: number
  readonly titles: readonly DatedProjectTitle[]
  matchTerms(terms: readonly string[]): Promise<ReadonlyMap<string, readonly number[]>>
}

export type RecentYearProjectTitlesCache = () => Promise<RecentYearProjectTitles>

export function createRecentYearProjectTitlesCache(
  db: Db,
  now: () => Date,
  maxTitles = MAX_TITLES,
): RecentYearProjectTitlesCache {
  return createPublishedDataCache(db, {
    now,
    ttlMs: CACHE_TTL_MS,
    read: (load) => loadYear(db, { load, today: getBangkokToday(now()), maxTitles }),
  })
}

type YearRequest = { readonly load: number | undefined; readonly today: string; readonly maxTitles: number }

async function loadYear(db: Db, { load, today, maxTitles }: YearRequest): Promise<RecentYearProjectTitles> {
  const to = await findNewestMovementDate(db, today)
  if (to === undefined) return buildYearTitles({ load, from: null, to: null, share: 1 }, [])
  const from = addDays(to, 1 - KEYWORD_TERM_EVIDENCE_DAYS)
  const count = await countTitlesByMovementDate(db, { from, to })
  const hundredths = computeSampledHundredths(count, maxTitles)
  const titles: DatedProjectTitle[] = []
  const dates = new Map<string, string>()
  const borders: Borders = new Map()
  const timeSlice = new TimeSlicer()
  while (titles.length < maxTitles) {
    const limit = Math.min(BATCH_SIZE, maxTitles - titles.length)
    const rows = await loadTitlesByMovementDate(db, { from, to, hundredths, after: titles.at(-1), limit })
    if (rows.length === 0) break
    for (const row of rows) {
      const movement_on = dates.get(row.movement_on) ?? row.movement_on
      dates.set(movement_on, movement_on)
      titles.push({ ...row, movement_on })
      borders.set(row.name_search, findWordBoundaries(row.name_search))
      const pause = timeSlice.yieldIfDue()
      if (pause) await pause
    }
  }
  // The limit can be reached despite sampling, so compute the share from the rows that were read.
  const share = hundredths === 100 ? 1 : Math.min(1, titles.length / Math.max(1, count))
  return buildYearTitles({ load, from, to, share }, titles, borders)
}

function buildYearTitles(
  facts: Omit<RecentYearProjectTitles, 'titles' | 'matchTerms'>,
  titles: readonly DatedProjectTitle[],
  borders: Borders = new Map(),
): RecentYearProjectTitles {
  const cache = new LRUCache<string, readonly number[]>({
    maxSize: MAX_CACHED_INDEXES,
    sizeCalculation: ({ length }) => length + 1,
  })
  return {
    ...facts,
    titles,
    async matchTerms(terms) {
      const uniqueTerms = [...new Set(terms)]
      const matches = new Map<string, readonly number[]>()
      for (const term of uniqueTerms) {
        const indexes = cache.get(term)
        if (indexes) matches.set(term, indexes)
      }
      const missing = uniqueTerms.filter((term) => !matches.has(term))
      for (const [term, indexes] of await matchTermsToTitles(titles, missing, borders)) {
        cache.set(term, indexes)
        matches.set(term, indexes)
      }
      return matches
    },
  }
}

export async function matchTermsToTitles(
  titles: readonly Pick<DatedProjectTitle, 'name_search'>[],
  terms: readonly string[],
  borders?: Borders,
): Promise<Map<string, number[]>> {
  const isWhole = (text: string, start: number, end: number) => {
    const titleBorders = borders?.get(text)
    return titleBorders === undefined
      ? isWholeWord(text, start, end)
      : titleBorders[start] === 1 && titleBorders[end] === 1
  }
  const matches = new Map(terms.map((term): [string, number[]] => [term, []]))
  if (terms.length === 0) return matches
  const keywords = terms.map((term) => {
    return {
      id: term,
      standalone: [{ text: term, wholeWord: requiresWordBoundaries(toNormalisedSearchText(term)) }],
      sides: [],
    }
  })
  const matcher = compileKeywordMatcher<string>([], { keywords, isWholeWord: isWhole })
  const timeSlice = new TimeSlicer()
  for (let index = 0; index < titles.length; index += 1) {
    const { name_search } = titles[index]!
    // Terms never contain quotes, so the matcher does not need the spaced form.
    for (const { id } of matcher.match(name_search, '')) matches.get(id)!.push(index)
    const pause = index % BLOCK_SIZE === 0 ? timeSlice.yieldIfDue() : undefined
    if (pause) await pause
  }
  return matches
}
