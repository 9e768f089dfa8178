import type { SearchError, SearchNode } from '#contract/search/search-grammar.ts'
import { parseSearchExpression } from '#contract/search/search-grammar.ts'
import { getHighlightWord } from '#contract/search/search-highlight.ts'
import type { NormalisedSearchTerm, SearchTerm } from '#contract/search/search-term.ts'
import { fitsSearchTermBoundary, toNormalisedSearchTerm } from '#contract/search/search-term.ts'
import type { AhoCorasickAutomaton } from './aho-corasick-automaton.ts'
import { buildAhoCorasickAutomaton } from './aho-corasick-automaton.ts'

export type MatcherKeyword<Id> = { readonly id: Id; readonly expression: string }
/** Plain text that matches like an unquoted search term. `wholeWord`: only at word boundaries. */
export type PlainTerm = { readonly text: string; readonly wholeWord: boolean }
/**
 * A keyword that consists of several terms (contract/matching/keyword-term.ts). It matches if one of `standalone` matches,
 * or if one term of each list in `sides` does.
 */
export type MultiTermKeyword<Id> = {
  readonly id: Id
  readonly standalone: readonly PlainTerm[]
  readonly sides: readonly (readonly PlainTerm[])[]
}
export type MultiTermKeywordSet<Id> = {
  readonly keywords: readonly MultiTermKeyword<Id>[]
  isWholeWord(text: string, start: number, end: number): boolean
}
/**
 * `words` are the matching terms, as input for `findHighlightRanges`; empty if the expression is only `<<word`. Texts
 * in which the same terms match usually share one object.
 */
export type KeywordMatch<Id> = { readonly id: Id; readonly words: readonly string[] }
export type KeywordMatcher<Id> = {
  /**
   * Returns the keywords that match a text, which is passed in the forms returned by `toNormalisedSearchText` and
   * `normaliseThai`.
   */
  match(compactText: string, spacedText: string): KeywordMatch<Id>[]
  readonly invalid: readonly { readonly id: Id; readonly error: SearchError }[]
}

type Term = NormalisedSearchTerm & { readonly word: string; readonly wholeWord: boolean }
type IsHit = (term: number) => boolean
type Evaluate = (isHit: IsHit) => boolean
type Rule<Id> = {
  readonly id: Id
  readonly evaluate: Evaluate
  readonly hitTerms: (isHit: IsHit) => readonly number[]
  readonly matches: Map<string, KeywordMatch<Id>>
}
const MAX_CACHED_MATCHES = 100

function matchOf<Id>({ id, hitTerms, matches }: Rule<Id>, terms: readonly Term[], isHit: IsHit): KeywordMatch<Id> {
  const numbers = hitTerms(isHit)
  const key = numbers.join()
  const cached = matches.get(key)
  if (cached) return cached
  const match = { id, words: numbers.map((term) => terms[term]!.word) }
  if (matches.size === MAX_CACHED_MATCHES) matches.clear()
  matches.set(key, match)
  return match
}

type TermEffects<Id> = { readonly matches: KeywordMatch<Id>[]; readonly rules: number[] }

class TermTable {
  readonly terms: Term[] = []
  readonly #numbers = new Map<string, number>()

  numberOf(node: Omit<SearchTerm, 'kind'>, wholeWord = false): number {
    const form = toNormalisedSearchTerm(node)
    const key = (form.quoted ? '"' : wholeWord ? '|' : ' ') + form.form
    const existing = this.#numbers.get(key)
    if (existing !== undefined) return existing
    this.#numbers.set(key, this.terms.length)
    return this.terms.push({ ...form, word: getHighlightWord(node), wholeWord }) - 1
  }

  numbersOf(terms: readonly PlainTerm[]): number[] {
    const numbers = terms.flatMap(({ text, wholeWord }) =>
      toNormalisedSearchTerm({ text, quoted: false }).form === ''
        ? []
        : [this.numberOf({ text, quoted: false }, wholeWord)],
    )
    return [...new Set(numbers)]
  }
}

function compileNode(node: SearchNode, table: TermTable): Evaluate {
  if (node.kind === 'term') {
    const term = table.numberOf(node)
    return (isHit) => isHit(term)
  }
  if (node.kind === 'not') {
    const keep = node.keep && compileNode(node.keep, table)
    const drop = compileNode(node.drop, table)
    return (isHit) => (keep === null || keep(isHit)) && !drop(isHit)
  }
  const parts = node.parts.map((part) => compileNode(part, table))
  return node.kind === 'and'
    ? (isHit) => parts.every((part) => part(isHit))
    : (isHit) => parts.some((part) => part(isHit))
}

function termsOf(node: SearchNode | null, table: TermTable, positiveOnly: boolean): number[] {
  if (node === null) return []
  if (node.kind === 'term') return [table.numberOf(node)]
  if (node.kind !== 'not') return node.parts.flatMap((part) => termsOf(part, table, positiveOnly))
  const includedTerms = termsOf(node.keep, table, positiveOnly)
  return positiveOnly ? includedTerms : [...includedTerms, ...termsOf(node.drop, table, false)]
}

/**
 * `numbers`: for each automaton word, the numbers of its terms, because one form may be both a whole word and a plain
 * term.
 */
type Scanner = { readonly automaton: AhoCorasickAutomaton; readonly numbers: readonly (readonly number[])[] }

function scannerOf(terms: readonly Term[], quoted: boolean): Scanner | undefined {
  const byForm = new Map<string, number[]>()
  for (const [number, term] of terms.entries()) {
    if (term.quoted !== quoted) continue
    const existing = byForm.get(term.form)
    if (existing) existing.push(number)
    else byForm.set(term.form, [number])
  }
  if (byForm.size === 0) return undefined
  return { automaton: buildAhoCorasickAutomaton([...byForm.keys()]), numbers: [...byForm.values()] }
}

function ruleOfTerms<Id>(
  { id, standalone, sides }: MultiTermKeyword<Id>,
  table: TermTable,
): Rule<Id> & { terms: number[] } {
  const single = table.numbersOf(standalone)
  const joint = sides.map((side) => table.numbersOf(side))
  const matchesSides = (isHit: IsHit) => joint.length > 0 && joint.every((side) => side.some(isHit))
  return {
    id,
    evaluate: (isHit) => single.some(isHit) || matchesSides(isHit),
    hitTerms: (isHit) => [
      ...new Set([...single.filter(isHit), ...(matchesSides(isHit) ? joint.flat().filter(isHit) : [])]),
    ],
    matches: new Map(),
    terms: [...new Set([...single, ...joint.flat()])],
  }
}

/**
 * Compiles keywords for matching many texts. All terms run through one automaton, and a keyword is evaluated only if
 * one of its terms matches (or if it also matches texts that contain none of its terms, like `<<word`).
 */
export function compileKeywordMatcher<Id>(
  keywords: readonly MatcherKeyword<Id>[],
  byTerms?: MultiTermKeywordSet<Id> | undefined,
): KeywordMatcher<Id> {
  const table = new TermTable()
  const invalid: { id: Id; error: SearchError }[] = []
  const rules: Rule<Id>[] = []
  const effects: TermEffects<Id>[] = []
  const effectsOf = (term: number) => {
    effects[term] ??= { matches: [], rules: [] }
    return effects[term]
  }
  const alwaysEvaluated: number[] = []
  for (const { id, expression } of keywords) {
    const parsed = parseSearchExpression(expression)
    if (!parsed.ok) {
      invalid.push({ id, error: parsed.error })
      continue
    }
    const { node } = parsed
    if (node.kind === 'term') {
      const term = table.numberOf(node)
      effectsOf(term).matches.push({ id, words: [table.terms[term]!.word] })
      continue
    }
    const evaluate = compileNode(node, table)
    const positive = [...new Set(termsOf(node, table, true))]
    const number = rules.push({ id, evaluate, hitTerms: (isHit) => positive.filter(isHit), matches: new Map() }) - 1
    for (const term of new Set(termsOf(node, table, false))) effectsOf(term).rules.push(number)
    if (evaluate(() => false)) alwaysEvaluated.push(number)
  }
  for (const keyword of byTerms?.keywords ?? []) {
    const rule = ruleOfTerms(keyword, table)
    const number = rules.push(rule) - 1
    for (const term of rule.terms) effectsOf(term).rules.push(number)
  }

  const { terms } = table
  const compact = scannerOf(terms, false)
  const spaced = scannerOf(terms, true)
  // A term occurs in the current text if its mark equals the text's number, so marks need not be cleared.
  const termSeen = new Float64Array(terms.length)
  const ruleSeen = new Float64Array(rules.length)
  let textNumber = 0
  const isHit = (term: number) => termSeen[term] === textNumber
  const fitsBoundaries = (term: Term, text: string, start: number, end: number) =>
    fitsSearchTermBoundary(term, text, start, end) &&
    (!term.wholeWord || byTerms?.isWholeWord(text, start, end) === true)

  const collect = (scanner: Scanner | undefined, text: string, hits: number[]) => {
    scanner?.automaton.scan(text, (word, start, end) => {
      for (const number of scanner.numbers[word]!) {
        if (termSeen[number] === textNumber || !fitsBoundaries(terms[number]!, text, start, end)) continue
        termSeen[number] = textNumber
        hits.push(number)
      }
    })
  }

  return {
    invalid,
    match(compactText, spacedText) {
      textNumber += 1
      const hits: number[] = []
      collect(compact, compactText, hits)
      collect(spaced, spacedText, hits)
      const matches: KeywordMatch<Id>[] = []
      const evaluateRule = (number: number) => {
        if (ruleSeen[number] === textNumber) return
        ruleSeen[number] = textNumber
        const rule = rules[number]!
        if (rule.evaluate(isHit)) matches.push(matchOf(rule, terms, isHit))
      }
      for (const hit of hits) {
        const { matches: direct, rules: shared } = effects[hit]!
        for (const match of direct) matches.push(match)
        for (const number of shared) evaluateRule(number)
      }
      for (const number of alwaysEvaluated) evaluateRule(number)
      return matches
    },
  }
}
