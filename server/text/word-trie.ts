import type { SearchError, SearchNode } from '#contract/search-grammar.ts'
import { parseSearchExpression } from '#contract/search-grammar.ts'
import { highlightWord } from '#contract/search-highlight.ts'
import type { SearchTerm, TermForm } from '#contract/search-term.ts'
import { keepsBoundary, termForm } from '#contract/search-term.ts'
import type { Automaton } from './automaton.ts'
import { buildAutomaton } from './automaton.ts'

/** A watch-list word: text in the search grammar, mostly one plain term. */
export type Keyword<Id> = { readonly id: Id; readonly expression: string }
/** `words`: which terms of the keyword stand in the text, as `findMatches` takes them; empty for `<<word` alone. */
export type KeywordMatch<Id> = { readonly id: Id; readonly words: readonly string[] }
export type KeywordMatcher<Id> = {
  /** Keywords that find the text, given as `searchForm` and `normaliseThai` return it. */
  match(compactText: string, spacedText: string): KeywordMatch<Id>[]
  /** Keywords that do not parse; they match nothing. */
  readonly invalid: readonly { readonly id: Id; readonly error: SearchError }[]
}

type Term = TermForm & { readonly word: string }
type Evaluate = (isHit: (term: number) => boolean) => boolean
type Rule<Id> = { readonly id: Id; readonly evaluate: Evaluate; readonly positive: readonly number[] }
/** What a found term leads to: keywords that are this term alone match at once, the others are looked at. */
type TermLeads<Id> = { readonly matches: KeywordMatch<Id>[]; readonly rules: number[] }

/** Terms of all keywords, each different one once. */
class TermTable {
  readonly terms: Term[] = []
  readonly #numbers = new Map<string, number>()

  numberOf(node: SearchTerm): number {
    const form = termForm(node)
    const key = (form.quoted ? '"' : ' ') + form.form
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    this.#numbers.set(key, this.terms.length)
    return this.terms.push({ ...form, word: highlightWord(node) }) - 1
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
  const kept = termsOf(node.keep, table, positiveOnly)
  return positiveOnly ? kept : [...kept, ...termsOf(node.drop, table, false)]
}

type Scanner = { readonly automaton: Automaton; readonly numbers: readonly number[] }

function scannerOf(terms: readonly Term[], quoted: boolean): Scanner | undefined {
  const numbers = [...terms.keys()].filter((number) => terms[number]!.quoted === quoted)
  if (numbers.length === 0) return undefined
  return { automaton: buildAutomaton(numbers.map((number) => terms[number]!.form)), numbers }
}

/**
 * Prepares any number of keywords for many texts: all their terms run through one automaton, and a keyword is looked
 * at only when one of its terms was found (or when it also holds for a text with none of them, as `<<word` does).
 */
export function compileKeywords<Id>(keywords: readonly Keyword<Id>[]): KeywordMatcher<Id> {
  const table = new TermTable()
  const invalid: { id: Id; error: SearchError }[] = []
  const rules: Rule<Id>[] = []
  const leads: TermLeads<Id>[] = []
  const leadsOf = (term: number) => {
    leads[term] ??= { matches: [], rules: [] }
    return leads[term]
  }
  const alwaysLookedAt: number[] = []
  for (const { id, expression } of keywords) {
    const parsed = parseSearchExpression(expression)
    if (!parsed.ok) {
      invalid.push({ id, error: parsed.error })
      continue
    }
    const { node } = parsed
    if (node.kind === 'term') {
      const term = table.numberOf(node)
      leadsOf(term).matches.push({ id, words: [table.terms[term]!.word] })
      continue
    }
    const evaluate = compileNode(node, table)
    const number = rules.push({ id, evaluate, positive: [...new Set(termsOf(node, table, true))] }) - 1
    for (const term of new Set(termsOf(node, table, false))) leadsOf(term).rules.push(number)
    if (evaluate(() => false)) alwaysLookedAt.push(number)
  }

  const { terms } = table
  const compact = scannerOf(terms, false)
  const spaced = scannerOf(terms, true)
  // A term or rule counts as seen in this text when its mark is the text's own number: nothing to clear in between.
  const termSeen = new Float64Array(terms.length)
  const ruleSeen = new Float64Array(rules.length)
  let now = 0
  const isHit = (term: number) => termSeen[term] === now

  const collect = (scanner: Scanner | undefined, text: string, hits: number[]) => {
    scanner?.automaton.scan(text, (word, start, end) => {
      const number = scanner.numbers[word]!
      if (termSeen[number] === now || !keepsBoundary(terms[number]!, text, start, end)) return
      termSeen[number] = now
      hits.push(number)
    })
  }

  return {
    invalid,
    match(compactText, spacedText) {
      now += 1
      const hits: number[] = []
      collect(compact, compactText, hits)
      collect(spaced, spacedText, hits)
      const matches: KeywordMatch<Id>[] = []
      const look = (number: number) => {
        if (ruleSeen[number] === now) return
        ruleSeen[number] = now
        const rule = rules[number]!
        if (rule.evaluate(isHit))
          matches.push({ id: rule.id, words: rule.positive.filter(isHit).map((term) => terms[term]!.word) })
      }
      for (const hit of hits) {
        const { matches: alone, rules: shared } = leads[hit]!
        for (const match of alone) matches.push(match)
        for (const number of shared) look(number)
      }
      for (const number of alwaysLookedAt) look(number)
      return matches
    },
  }
}
