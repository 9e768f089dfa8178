import { LRUCache } from 'lru-cache'
import {
  compileSemanticSearchMatcher,
  type SemanticSearchMatch,
  type SemanticSearchScannerFactory,
  type SemanticSearchTerm,
} from '#contract/search/deep-search.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import {
  expandKeyword,
  expandKeywordInTimeSlices,
  type KeywordExpansion,
} from '#server/matching/meaning/expand-keyword.ts'
import { isWholeWord, requiresWordBoundaries } from '#server/matching/meaning/word-borders.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import { buildAhoCorasickAutomaton } from '#server/platform/text/aho-corasick-automaton.ts'

/**
 * Minimum similarity of a learned term. Terms below it are merely associated with the word, and deep search has no
 * manual approval step.
 */
const MIN_LEARNED_SIMILARITY = 0.6
/**
 * Maximum number of cached expansions, of 150 kB each. An expansion takes 20 ms, and one page needs the same one several
 * times.
 */
const MAX_CACHED_EXPANSIONS = 100

type SemanticSearchExpansion = Pick<KeywordExpansion, 'engine' | 'known'> & {
  readonly terms: readonly SemanticSearchTerm[]
  readonly match: (name: string) => SemanticSearchMatch | undefined
}

const expansionCache = new LRUCache<string, SemanticSearchExpansion>({ max: MAX_CACHED_EXPANSIONS })

/**
 * Expands one `ai_deep_search__in` value synchronously. Blocks for up to 0.1 s unless `expandSemanticSearch` cached the result.
 */
export function expandSemanticSearchSync(sentence: string): SemanticSearchExpansion {
  return expansionCache.get(sentence) ?? cacheExpansion(sentence, expandKeyword(sentence, { wide: true }))
}

export async function expandSemanticSearch(sentence: string): Promise<SemanticSearchExpansion> {
  return (
    expansionCache.get(sentence) ??
    cacheExpansion(sentence, await expandKeywordInTimeSlices(sentence, { wide: true }, yieldToEventLoop))
  )
}

function cacheExpansion(
  sentence: string,
  { engine, known: isKnown, terms: allTerms }: KeywordExpansion,
): SemanticSearchExpansion {
  const terms = allTerms.filter(
    ({ source, similarity }) => source !== 'learned' || similarity >= MIN_LEARNED_SIMILARITY,
  )
  // A word without other terms matches only itself, so it counts as unknown.
  const expansion = {
    engine,
    known: isKnown && terms.length > 1,
    terms,
    match: compileSemanticSearchMatcher(terms, createTermScanner),
  }
  expansionCache.set(sentence, expansion)
  return expansion
}

/**
 * Scans each name once for all terms, because 60 separate searches of the name took ten times as long. Word borders are
 * looked up only for terms whose letters occur.
 */
const createTermScanner: SemanticSearchScannerFactory = (terms) => {
  const automaton = buildAhoCorasickAutomaton(terms)
  const isShort = terms.map(requiresWordBoundaries)
  /** Occurrences of each short term in the name that `lastScan` numbers; those of earlier names are stale. */
  const starts = terms.map((): number[] => [])
  const lastScan = terms.map(() => 0)
  let scanNumber = 0
  return (name) => {
    scanNumber += 1
    automaton.scan(name, (term, start) => {
      if (lastScan[term] !== scanNumber) starts[term]!.length = 0
      lastScan[term] = scanNumber
      if (isShort[term]) starts[term]!.push(start)
    })
    return (term) =>
      lastScan[term] === scanNumber &&
      (!isShort[term] || starts[term]!.some((start) => isWholeWord(name, start, start + terms[term]!.length)))
  }
}

/**
 * Substrings for preselecting names in the database: every hit's name contains one of `standalone`, or one substring of
 * each list in `sides`.
 */
export type SemanticSearchSubstrings = {
  readonly standalone: readonly string[]
  readonly sides: readonly (readonly string[])[]
}

/** Returns the shortest substrings that cover all terms, ignoring word boundaries. This halves the text to search. */
export function getSemanticSearchSubstrings(terms: readonly SemanticSearchTerm[]): SemanticSearchSubstrings {
  const shortest = (group: readonly SemanticSearchTerm[]) => {
    const forms = [...new Set(group.map(({ term }) => toNormalisedSearchText(term)))].filter((form) => form !== '')
    return forms.filter((form) => !forms.some((otherForm) => otherForm !== form && form.includes(otherForm)))
  }
  const groups = Map.groupBy(terms, ({ facet }) => facet)
  return {
    standalone: shortest(groups.get(0) ?? []),
    sides: [...groups].filter(([facet]) => facet > 0).map(([, group]) => shortest(group)),
  }
}
