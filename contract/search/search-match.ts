import { normaliseThai, removeSpacesNextToThai } from '../thai/thai-text.ts'
import type { SearchNode } from './search-grammar.ts'
import { findSearchTerm, toNormalisedSearchTerm } from './search-term.ts'

export type SearchPredicate = (compact: string, spaced: string) => boolean

export function compileSearchPredicate(node: SearchNode): SearchPredicate {
  if (node.kind === 'term') {
    const term = toNormalisedSearchTerm(node)
    return term.quoted
      ? (_compact, spaced) => findSearchTerm(term, spaced) !== -1
      : (compact) => findSearchTerm(term, compact) !== -1
  }
  if (node.kind === 'not') {
    const keep = node.keep && compileSearchPredicate(node.keep)
    const drop = compileSearchPredicate(node.drop)
    return (compact, spaced) => (keep === null || keep(compact, spaced)) && !drop(compact, spaced)
  }
  const parts = node.parts.map(compileSearchPredicate)
  return node.kind === 'and'
    ? (compact, spaced) => parts.every((part) => part(compact, spaced))
    : (compact, spaced) => parts.some((part) => part(compact, spaced))
}

/**
 * Accepts text that is not normalised (product 6.4). Must give the same result as the SQL of
 * `server/platform/text/search-sql.ts`.
 */
export function matchesSearch(node: SearchNode, text: string): boolean {
  const spaced = normaliseThai(text)
  return compileSearchPredicate(node)(removeSpacesNextToThai(spaced), spaced)
}

/** Matches several texts of one item: each term may be in any of them, `<<word` must be in none. */
export function matchesSearchInAnyText(node: SearchNode, texts: readonly string[]): boolean {
  if (node.kind === 'term') return texts.some((text) => matchesSearch(node, text))
  if (node.kind === 'not')
    return (node.keep === null || matchesSearchInAnyText(node.keep, texts)) && !matchesSearchInAnyText(node.drop, texts)
  return node.kind === 'and'
    ? node.parts.every((part) => matchesSearchInAnyText(part, texts))
    : node.parts.some((part) => matchesSearchInAnyText(part, texts))
}

export type { TextRange } from './search-highlight.ts'
