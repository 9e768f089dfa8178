import { parseSearchExpression } from '#contract/search-grammar.ts'
import { compileSearch } from '#contract/search-match.ts'
import { addDays, bangkokToday } from '#contract/thai-date.ts'
import { searchForm } from '#contract/thai-text.ts'
import { type Db, QueryTimeout } from '#server/db/db.ts'
import { isWholeWord, needsWordBorders } from '#server/meaning/word-borders.ts'
import { findRecentTitles, type RecentTitle } from './queries.ts'

/** An include word that stands in more than 5 % of the projects of 30 days waits for the operator (D11), where there are at least 500. */
const BROAD = { share: 0.05, projects: 500, days: 30 } as const
/** Titles looked at: e-GP brings some 3,800 a day, and 5 % of 500 is read off as safely from a part. */
const TITLES = 10_000
/** A database too busy for this is not made busier: the word is then taken as it is. */
const TIMEOUT_MS = 2_000
const SAMPLES = 2

async function recentTitles(db: Db): Promise<RecentTitle[]> {
  try {
    return await findRecentTitles(db, TITLES, TIMEOUT_MS)
  } catch (error) {
    if (error instanceof QueryTimeout) return []
    throw error
  }
}

/** Of these name words, those that are too broad, with their share of recent projects. Not inside a transaction: it may run out of time. */
export async function findBroadWords(db: Db, words: readonly string[], now: Date): Promise<Map<string, number>> {
  const broad = new Map<string, number>()
  if (words.length === 0) return broad
  const from = addDays(bangkokToday(now), -BROAD.days)
  const titles = (await recentTitles(db)).filter(({ movement_on }) => movement_on !== null && movement_on >= from)
  if (titles.length < BROAD.projects) return broad
  for (const word of words) {
    const parsed = parseSearchExpression(word)
    if (!parsed.ok) continue
    const matches = compileSearch(parsed.node)
    const hits = titles.filter(({ name_search, name_spaced }) => matches(name_search, name_spaced)).length
    const share = hits / titles.length
    if (share > BROAD.share) broad.set(word, share)
  }
  return broad
}

/** Up to two names of recent projects for each term, by the rule by which terms match. */
export async function findSamples(db: Db, terms: readonly string[]): Promise<(term: string) => string[]> {
  const titles = terms.length === 0 ? [] : await recentTitles(db)
  const samples = new Map<string, string[]>()
  for (const term of new Set(terms)) {
    const form = searchForm(term)
    const names = new Set<string>()
    for (const { name, name_search } of titles) {
      if (names.size < SAMPLES && contains(name_search, form)) names.add(name)
    }
    samples.set(term, [...names])
  }
  return (term) => samples.get(term) ?? []
}

function contains(text: string, form: string): boolean {
  let at = text.indexOf(form)
  if (!needsWordBorders(form)) return at !== -1
  while (at !== -1 && !isWholeWord(text, at, at + form.length)) at = text.indexOf(form, at + 1)
  return at !== -1
}
