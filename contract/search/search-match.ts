import { normaliseThai, removeSpacesNextToThai } from '../thai/thai-text.ts'
import type { SearchNode } from './search-grammar.ts'
import { findSearchTerm, toNormalisedSearchTerm } from './search-term.ts'

type SearchPredicate = (compact: string, spaced: string) => boolean

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

/**
 * Compiles a search of several texts of one item: each term may be in any of them, `<<word` must be in none. The texts
 * are normalised once per item, not once per term.
 */
export function compileAnyTextSearch(node: SearchNode): (texts: readonly string[]) => boolean {
  const matches = compileAnyFormSearch(node)
  return (texts) =>
    matches(
      texts.map((text) => {
        const spaced = normaliseThai(text)
        return { compact: removeSpacesNextToThai(spaced), spaced }
      }),
    )
}

type SearchedForms = readonly { readonly compact: string; readonly spaced: string }[]

function compileAnyFormSearch(node: SearchNode): (forms: SearchedForms) => boolean {
  if (node.kind === 'term') {
    const matches = compileSearchPredicate(node)
    return (forms) => forms.some(({ compact, spaced }) => matches(compact, spaced))
  }
  if (node.kind === 'not') {
    const keep = node.keep && compileAnyFormSearch(node.keep)
    const drop = compileAnyFormSearch(node.drop)
    return (forms) => (keep === null || keep(forms)) && !drop(forms)
  }
  const parts = node.parts.map(compileAnyFormSearch)
  return node.kind === 'and'
    ? (forms) => parts.every((part) => part(forms))
    : (forms) => parts.some((part) => part(forms))
}
