import { type ParsedSearch, parseSearchExpression, type SearchNode, type SearchTerm } from '../search/search-grammar.ts'
import { printSearchNode } from '../search/search-print.ts'
import { foldText, SHORTEST_PHRASE } from '../thai/fold-text.ts'

/**
 * A search for projects by the text of their documents (`document_text__in`): the grammar of every other search, each word anywhere in any document of the
 * project. `<<word` wants it in none of them, which is also true of a project without documents. Blanks say nothing, not even in quotes: a page breaks its lines where it likes.
 */

/** Most words of one expression: each is looked for in all pages. */
export const MOST_DOCUMENT_WORDS = 12

/** A word as it is looked for in folded pages. */
export const phraseOf = (term: Pick<SearchTerm, 'text'>): string => foldText(term.text).folded

function termsOf(node: SearchNode): readonly SearchTerm[] {
  if (node.kind === 'term') return [node]
  if (node.kind === 'not') return [...(node.keep ? termsOf(node.keep) : []), ...termsOf(node.drop)]
  return node.parts.flatMap(termsOf)
}

/** All that has to be looked for, excluded words too, each once. */
export const phrasesIn = (node: SearchNode): string[] => [...new Set(termsOf(node).map(phraseOf))]

/** Words that are wanted; what only excludes has none. */
function wantedIn(node: SearchNode): readonly SearchTerm[] {
  if (node.kind === 'term') return [node]
  if (node.kind === 'not') return node.keep ? wantedIn(node.keep) : []
  return node.parts.flatMap(wantedIn)
}

/** The question to the pages of one project for what let it in: any of the words that an expression wants. Undefined when it wants none, or cannot be read. */
export function passagesQuestion(expression: string): string | undefined {
  const parsed = parseDocumentExpression(expression)
  const words = parsed.ok ? wantedIn(parsed.node) : []
  if (words.length === 0) return undefined
  return printSearchNode(words.length === 1 ? words[0]! : { kind: 'or', parts: words })
}

/** The expression, or why it cannot be looked for in documents. */
export function parseDocumentExpression(text: string): ParsedSearch {
  const parsed = parseSearchExpression(text)
  const refused = (code: 'E_SHORT_DOCUMENT' | 'E_TERMS_DOCUMENT', position: number): ParsedSearch => ({
    ok: false,
    error: { code, position },
  })
  if (!parsed.ok) return parsed.error.code === 'E_SHORT' ? refused('E_SHORT_DOCUMENT', parsed.error.position) : parsed
  const terms = termsOf(parsed.node)
  const place = (term: SearchTerm | undefined) => Math.max(0, term ? text.indexOf(term.text) : 0)
  const short = terms.find((term) => phraseOf(term).length < SHORTEST_PHRASE)
  if (short) return refused('E_SHORT_DOCUMENT', place(short))
  if (terms.length > MOST_DOCUMENT_WORDS) return refused('E_TERMS_DOCUMENT', place(terms[MOST_DOCUMENT_WORDS]))
  return parsed
}

/** Whether an expression lets a project pass: `holds` says of each phrase whether a document of the project holds it. */
export function fitsDocuments(node: SearchNode, holds: (phrase: string) => boolean): boolean {
  if (node.kind === 'term') return holds(phraseOf(node))
  if (node.kind === 'not')
    return (node.keep === null || fitsDocuments(node.keep, holds)) && !fitsDocuments(node.drop, holds)
  return node.kind === 'and'
    ? node.parts.every((part) => fitsDocuments(part, holds))
    : node.parts.some((part) => fitsDocuments(part, holds))
}
