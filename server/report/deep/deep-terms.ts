import { LRUCache } from 'lru-cache'
import { type DeepHit, type DeepTerm, deepMatcher, type HoldsTerm } from '#contract/search/deep-search.ts'
import { searchForm } from '#contract/thai/thai-text.ts'
import { expandInSlices, expandKeyword, type KeywordExpansion } from '#server/matching/meaning/expand-keyword.ts'
import { isWholeWord, needsWordBorders } from '#server/matching/meaning/word-borders.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'

/** Learned terms below this are mere company of the word: nobody approves what a deep search takes. */
const LEAST_LEARNED = 0.6
/** An expansion takes 20 ms, and a page asks for the same ones again and again. */
const KEPT = 500

export type DeepExpansion = Pick<KeywordExpansion, 'engine' | 'known'> & {
  readonly terms: readonly DeepTerm[]
  /** What of it stands in a name in search form. */
  readonly match: (name: string) => DeepHit | undefined
}

const kept = new LRUCache<string, DeepExpansion>({ max: KEPT })

/** What one value of `ai_deep_search__in` is searched as, at once: where `expandDeep` has not been asked before it takes up to 0.1 s. */
export function deepExpansion(sentence: string): DeepExpansion {
  return kept.get(sentence) ?? keep(sentence, expandKeyword(sentence, { wide: true }))
}

/** The same while others are answered; ends with the time of the question. */
export async function expandDeep(sentence: string): Promise<DeepExpansion> {
  return kept.get(sentence) ?? keep(sentence, await expandInSlices(sentence, { wide: true }, yieldToEventLoop))
}

function keep(sentence: string, { engine, known: isKnown, terms: all }: KeywordExpansion): DeepExpansion {
  const terms = all.filter(({ source, similarity }) => source !== 'learned' || similarity >= LEAST_LEARNED)
  // With nothing beside itself it finds only its own letters, whatever the model thinks of them.
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

/** For the database to look for first: every name with a hit holds one of `alone`, or one of each of `sides`. */
export type DeepNeedles = { readonly alone: readonly string[]; readonly sides: readonly (readonly string[])[] }

/** The shortest parts of the terms that find all of them, without the rule of whole words: half the letters to look for. */
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
