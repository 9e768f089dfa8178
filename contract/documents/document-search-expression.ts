import { formatSearchNode } from '../search/format-search-node.ts'
import { type ParsedSearch, parseSearchExpression, type SearchNode, type SearchTerm } from '../search/search-grammar.ts'
import { foldDocumentText, MIN_FOLDED_PHRASE_LENGTH } from '../thai/fold-document-text.ts'

/**
 * Project search by document text (`document_text__in`). It uses the common search grammar, where each word may be
 * anywhere in any document of the project. `<<word` requires that no document contains the word, which includes
 * projects without documents. Spaces are ignored even in quotes, because pages break lines arbitrarily.
 */

const MAX_DOCUMENT_SEARCH_WORDS = 12

export const getFoldedPhrase = (term: Pick<SearchTerm, 'text'>): string => foldDocumentText(term.text).folded

function termsOf(node: SearchNode): readonly SearchTerm[] {
  if (node.kind === 'term') return [node]
  if (node.kind === 'not') return [...(node.keep ? termsOf(node.keep) : []), ...termsOf(node.drop)]
  return node.parts.flatMap(termsOf)
}

export const getFoldedPhrases = (node: SearchNode): string[] => [...new Set(termsOf(node).map(getFoldedPhrase))]

/** Returns the phrases that are not excluded, to highlight on a page. */
export const getRequiredFoldedPhrases = (node: SearchNode): string[] => [
  ...new Set(requiredTermsOf(node).map(getFoldedPhrase)),
]

function requiredTermsOf(node: SearchNode): readonly SearchTerm[] {
  if (node.kind === 'term') return [node]
  if (node.kind === 'not') return node.keep ? requiredTermsOf(node.keep) : []
  return node.parts.flatMap(requiredTermsOf)
}

/**
 * Returns the page search that shows why a project matched: pages with any of the required words. Undefined when the
 * expression is invalid or requires no word.
 */
export function buildPassageSearchQuery(expression: string): string | undefined {
  const parsed = parseDocumentSearchExpression(expression)
  const words = parsed.ok ? requiredTermsOf(parsed.node) : []
  if (words.length === 0) return undefined
  return formatSearchNode(words.length === 1 ? words[0]! : { kind: 'or', parts: words })
}

export function parseDocumentSearchExpression(text: string): ParsedSearch {
  const parsed = parseSearchExpression(text)
  const refused = (code: 'E_SHORT_DOCUMENT' | 'E_TERMS_DOCUMENT', position: number): ParsedSearch => ({
    ok: false,
    error: { code, position },
  })
  if (!parsed.ok) return parsed.error.code === 'E_SHORT' ? refused('E_SHORT_DOCUMENT', parsed.error.position) : parsed
  const terms = termsOf(parsed.node)
  const positionOf = (term: SearchTerm | undefined) => Math.max(0, term ? text.indexOf(term.text) : 0)
  const short = terms.find((term) => getFoldedPhrase(term).length < MIN_FOLDED_PHRASE_LENGTH)
  if (short) return refused('E_SHORT_DOCUMENT', positionOf(short))
  if (terms.length > MAX_DOCUMENT_SEARCH_WORDS)
    return refused('E_TERMS_DOCUMENT', positionOf(terms[MAX_DOCUMENT_SEARCH_WORDS]))
  return parsed
}

export function matchesDocumentText(node: SearchNode, contains: (phrase: string) => boolean): boolean {
  if (node.kind === 'term') return contains(getFoldedPhrase(node))
  if (node.kind === 'not')
    return (node.keep === null || matchesDocumentText(node.keep, contains)) && !matchesDocumentText(node.drop, contains)
  return node.kind === 'and'
    ? node.parts.every((part) => matchesDocumentText(part, contains))
    : node.parts.some((part) => matchesDocumentText(part, contains))
}
