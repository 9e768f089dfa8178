import { LRUCache } from 'lru-cache'
import { type DeepHit, type DeepTerm, deepMatcher, type HoldsTerm } from '#contract/search/deep-search.ts'
import { searchForm } from '#contract/thai/thai-text.ts'
import { expandInSlices, expandKeyword, type KeywordExpansion } from '#server/matching/meaning/expand-keyword.ts'
import { isWholeWord, needsWordBorders } from '#server/matching/meaning/word-borders.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'

/** Learned terms below this are merely associated with the word, and deep search has no manual approval. */
const LEAST_LEARNED = 0.6
/** An expansion takes 20 ms and is needed repeatedly for one page. */
const KEPT = 500

export type DeepExpansion = Pick<KeywordExpansion, 'engine' | 'known'> & {
  readonly terms: readonly DeepTerm[]
  readonly match: (name: string) => DeepHit | undefined
}

const kept = new LRUCache<string, DeepExpansion>({ max: KEPT })

/** Synchronous expansion of one `ai_deep_search__in` value; blocks for up to 0.1 s unless `expandDeep` cached it. */
export function deepExpansion(sentence: string): DeepExpansion {
  return kept.get(sentence) ?? keep(sentence, expandKeyword(sentence, { wide: true }))
}

/** Same result without blocking the event loop; subject to the query's deadline. */
export async function expandDeep(sentence: string): Promise<DeepExpansion> {
  return kept.get(sentence) ?? keep(sentence, await expandInSlices(sentence, { wide: true }, yieldToEventLoop))
}

function keep(sentence: string, { engine, known: isKnown, terms: all }: KeywordExpansion): DeepExpansion {
  const terms = all.filter(({ source, similarity }) => source !== 'learned' || similarity >= LEAST_LEARNED)
  // Without other terms it matches only its own letters, so it does not count as known.
  const expansion = { engine, known: isKnown && terms.length > 1, terms, match: deepMatcher(terms, holdsTerm) }
  kept.set(sentence, expansion)
  return expansion
}

const holdsTerm: HoldsTerm = (name, term) => {
  if (term === '') return false
  const isShort = needsWordBorders(term)
  for (let at = name.indexOf(term); at >= 0; at = name.indexOf(term, at + 1)) {
    if (!isShort || isWholeWord(name, at, at + term.length)) return true
  }
  return false
}

/** Preselection for the database: every hit's name contains one of `alone`, or one of each list in `sides`. */
export type DeepNeedles = { readonly alone: readonly string[]; readonly sides: readonly (readonly string[])[] }

/** Shortest substrings covering all terms, ignoring word boundaries: halves the search text. */
export function deepNeedles(terms: readonly DeepTerm[]): DeepNeedles {
  const shortest = (group: readonly DeepTerm[]) => {
    const forms = [...new Set(group.map(({ term }) => searchForm(term)))].filter((form) => form !== '')
    return forms.filter((form) => !forms.some((other) => other !== form && form.includes(other)))
  }
  const groups = Map.groupBy(terms, ({ facet }) => facet)
  return {
    alone: shortest(groups.get(0) ?? []),
    sides: [...groups].filter(([facet]) => facet > 0).map(([, group]) => shortest(group)),
  }
}
