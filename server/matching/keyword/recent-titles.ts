import { addDays, getBangkokToday } from '#contract/thai/thai-date.ts'
import { removeSpacesNextToThai, toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import { isWholeWord, requiresWordBoundaries } from '#server/matching/meaning/word-borders.ts'
import { type Db, QueryTimeoutError } from '#server/platform/engine/db.ts'
import { buildAhoCorasickAutomaton } from '#server/platform/text/aho-corasick-automaton.ts'
import { compileKeywordMatcher } from '#server/platform/text/keyword-matcher.ts'
import { findProjectNamesByMovementDate, findRecentProjectNames } from './queries.ts'

/**
 * An include word awaits the operator's approval (D11) if it matches more than 5 % of the projects of the last 30 days,
 * provided that there are at least 500.
 */
const BROAD_WORD = { share: 0.05, projects: 500, days: 30 } as const
/**
 * Number of recent titles to check for broad words. e-GP publishes about 3,800 projects a day; a share of 5 % shows in
 * this sample as reliably as in all of them.
 */
const TITLES_TO_JUDGE = 10_000
/**
 * Number of recent titles to search for samples, about two days. A term that none of them contains has no useful
 * sample.
 */
const TITLES_TO_SAMPLE = 5_000
const SAMPLES_PER_TERM = 2
/**
 * Timeout of the query for recent titles. If the database is too busy to answer in this time, a new word is accepted
 * unchecked and terms have no samples.
 */
const QUERY_TIMEOUT_MS = 2_000

async function emptyIfBusy(query: Promise<string[]>): Promise<string[]> {
  try {
    return await query
  } catch (error) {
    if (error instanceof QueryTimeoutError) return []
    throw error
  }
}

/** `titles` is 0 if too few titles were loaded to tell whether a word is too broad. */
export type RecentTitleCountsByWord = { readonly titles: number; readonly hits: ReadonlyMap<string, number> }

/** Counts recent titles matched by each word. Call outside a transaction, which a timeout would abort. */
export async function countRecentTitlesByWord(
  db: Db,
  words: readonly string[],
  now: Date,
): Promise<RecentTitleCountsByWord> {
  const hits = new Map<string, number>()
  if (words.length === 0) return { titles: 0, hits }
  const from = addDays(getBangkokToday(now), -BROAD_WORD.days)
  const titles = await emptyIfBusy(findProjectNamesByMovementDate(db, from, TITLES_TO_JUDGE, QUERY_TIMEOUT_MS))
  if (titles.length < BROAD_WORD.projects) return { titles: 0, hits }
  const matcher = compileKeywordMatcher([...new Set(words)].map((word) => ({ id: word, expression: word })))
  for (const title of titles) {
    for (const { id } of matcher.match(removeSpacesNextToThai(title), title)) hits.set(id, (hits.get(id) ?? 0) + 1)
  }
  return { titles: titles.length, hits }
}

export function selectTooBroadKeywords({ titles, hits }: RecentTitleCountsByWord): Map<string, number> {
  const shares = [...hits].map(([word, count]) => [word, count / titles] as const)
  return new Map(shares.filter(([, share]) => share > BROAD_WORD.share))
}

export const findTooBroadKeywords = async (db: Db, words: readonly string[], now: Date): Promise<Map<string, number>> =>
  selectTooBroadKeywords(await countRecentTitlesByWord(db, words, now))

export async function createExampleTitleFinder(db: Db, terms: readonly string[]): Promise<(term: string) => string[]> {
  const forms = [...new Set(terms.map(toNormalisedSearchText))].filter((form) => form !== '')
  if (forms.length === 0) return () => []
  const automaton = buildAhoCorasickAutomaton(forms)
  const samples = new Map(forms.map((form) => [form, new Set<string>()]))
  for (const name of await emptyIfBusy(findRecentProjectNames(db, TITLES_TO_SAMPLE, QUERY_TIMEOUT_MS))) {
    const title = toNormalisedSearchText(name)
    automaton.scan(title, (formIndex, start, end) => {
      const form = forms[formIndex]!
      const names = samples.get(form)!
      if (names.size === SAMPLES_PER_TERM || (requiresWordBoundaries(form) && !isWholeWord(title, start, end))) return
      names.add(name)
    })
  }
  return (term) => [...(samples.get(toNormalisedSearchText(term)) ?? [])]
}
