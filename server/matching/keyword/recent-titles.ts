import { addDays, bangkokToday } from '#contract/thai/thai-date.ts'
import { compactForm, searchForm } from '#contract/thai/thai-text.ts'
import { isWholeWord, needsWordBorders } from '#server/matching/meaning/word-borders.ts'
import { type Db, QueryTimeout } from '#server/platform/engine/db.ts'
import { buildAutomaton } from '#server/platform/text/automaton.ts'
import { compileKeywords } from '#server/platform/text/word-trie.ts'
import { findMovedNames, findRecentNames } from './queries.ts'

/** An include word that stands in more than 5 % of the projects of 30 days waits for the operator (D11), where there are at least 500. */
const BROAD = { share: 0.05, projects: 500, days: 30 } as const
/** Projects looked at for that: e-GP brings some 3,800 a day, and 5 % is read off as safely from a part. */
const JUDGED = 10_000
/** Where samples are looked for: what a term finds nowhere in two days is no help to decide by. */
const SAMPLED = 5_000
const SAMPLES = 2
/** A database too busy for this is not made busier: the word is then taken as it is, and terms show no samples. */
const TIMEOUT_MS = 2_000

async function unlessBusy(query: Promise<string[]>): Promise<string[]> {
  try {
    return await query
  } catch (error) {
    if (error instanceof QueryTimeout) return []
    throw error
  }
}

/** How often words are found among recent titles. `titles` is 0 where too few were read to judge by. */
export type WordHits = { readonly titles: number; readonly hits: ReadonlyMap<string, number> }

/** Counts how many recent titles each name word matches. Call it outside a transaction: a timeout would abort that. */
export async function countHits(db: Db, words: readonly string[], now: Date): Promise<WordHits> {
  const hits = new Map<string, number>()
  if (words.length === 0) return { titles: 0, hits }
  const from = addDays(bangkokToday(now), -BROAD.days)
  const titles = await unlessBusy(findMovedNames(db, from, JUDGED, TIMEOUT_MS))
  if (titles.length < BROAD.projects) return { titles: 0, hits }
  const matcher = compileKeywords([...new Set(words)].map((word) => ({ id: word, expression: word })))
  for (const title of titles) {
    for (const { id } of matcher.match(compactForm(title), title)) hits.set(id, (hits.get(id) ?? 0) + 1)
  }
  return { titles: titles.length, hits }
}

/** Words that are too broad, with their share of recent titles. */
export function broadWords({ titles, hits }: WordHits): Map<string, number> {
  const shares = [...hits].map(([word, count]) => [word, count / titles] as const)
  return new Map(shares.filter(([, share]) => share > BROAD.share))
}

export const findBroadWords = async (db: Db, words: readonly string[], now: Date): Promise<Map<string, number>> =>
  broadWords(await countHits(db, words, now))

/** Up to two names of recent projects for each term, by the rule by which terms match. */
export async function findSamples(db: Db, terms: readonly string[]): Promise<(term: string) => string[]> {
  const forms = [...new Set(terms.map(searchForm))].filter((form) => form !== '')
  if (forms.length === 0) return () => []
  const automaton = buildAutomaton(forms)
  const samples = new Map(forms.map((form) => [form, new Set<string>()]))
  for (const name of await unlessBusy(findRecentNames(db, SAMPLED, TIMEOUT_MS))) {
    const title = searchForm(name)
    automaton.scan(title, (found, start, end) => {
      const form = forms[found]!
      const names = samples.get(form)!
      if (names.size === SAMPLES || (needsWordBorders(form) && !isWholeWord(title, start, end))) return
      names.add(name)
    })
  }
  return (term) => [...(samples.get(searchForm(term)) ?? [])]
}
