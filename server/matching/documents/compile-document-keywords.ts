import { getFoldedPhrases, matchesDocumentText } from '#contract/documents/document-search-expression.ts'
import { parseDocumentKeyword } from '#contract/matching/document-keyword.ts'
import type { SearchNode } from '#contract/search/search-grammar.ts'
import { buildAhoCorasickAutomaton } from '#server/platform/text/aho-corasick-automaton.ts'

export type DocumentKeyword = { readonly id: number; readonly word: string }

/**
 * Compiles all words into one automaton, so a page is scanned once for all organisations. The returned function takes
 * the folded pages in order and returns for each matching word the first page (1-based) that satisfies its whole
 * expression. Unparsable words match nothing.
 */
export function compileDocumentKeywords(
  words: readonly DocumentKeyword[],
): (pages: readonly { readonly page: number; readonly folded: string }[]) => Map<number, number> {
  const nodes = new Map<string, SearchNode>()
  const idsOf = new Map<string, number[]>()
  for (const { id, word } of words) {
    const knownIds = idsOf.get(word)
    if (knownIds) knownIds.push(id)
    const parsed = knownIds ? undefined : parseDocumentKeyword(word)
    if (!parsed?.ok) continue
    idsOf.set(word, [id])
    nodes.set(word, parsed.node)
  }
  const phrases = [...new Set([...nodes.values()].flatMap(getFoldedPhrases))]
  const automaton = buildAhoCorasickAutomaton(phrases)
  return (pages) => {
    const pagesByWordId = new Map<number, number>()
    for (const { page, folded } of pages) {
      const pagePhrases = new Set<string>()
      automaton.scan(folded, (phrase) => pagePhrases.add(phrases[phrase]!))
      if (pagePhrases.size === 0) continue
      for (const [word, node] of nodes) {
        const ids = idsOf.get(word)!
        if (pagesByWordId.has(ids[0]!) || !matchesDocumentText(node, (phrase) => pagePhrases.has(phrase))) continue
        for (const id of ids) pagesByWordId.set(id, page)
      }
    }
    return pagesByWordId
  }
}
