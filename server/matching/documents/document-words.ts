import { fitsDocuments, phrasesIn } from '#contract/documents/document-words.ts'
import { readDocumentWord } from '#contract/matching/document-word.ts'
import type { SearchNode } from '#contract/search/search-grammar.ts'
import { buildAutomaton } from '#server/platform/text/automaton.ts'

export type DocumentWord = { readonly id: number; readonly word: string }

/**
 * Compiles all words into one automaton, so a page is scanned once for all organisations. The returned function takes
 * the folded pages in order and returns for each matching word the first page (1-based) that satisfies its whole
 * expression. Unparsable words match nothing.
 */
export function compileDocumentWords(
  words: readonly DocumentWord[],
): (pages: readonly { readonly page: number; readonly folded: string }[]) => Map<number, number> {
  const nodes = new Map<string, SearchNode>()
  const idsOf = new Map<string, number[]>()
  for (const { id, word } of words) {
    const known = idsOf.get(word)
    if (known) known.push(id)
    const read = known ? undefined : readDocumentWord(word)
    if (!read?.ok) continue
    idsOf.set(word, [id])
    nodes.set(word, read.node)
  }
  const phrases = [...new Set([...nodes.values()].flatMap(phrasesIn))]
  const automaton = buildAutomaton(phrases)
  return (pages) => {
    const found = new Map<number, number>()
    for (const { page, folded } of pages) {
      const standing = new Set<string>()
      automaton.scan(folded, (phrase) => standing.add(phrases[phrase]!))
      if (standing.size === 0) continue
      for (const [word, node] of nodes) {
        const ids = idsOf.get(word)!
        if (found.has(ids[0]!) || !fitsDocuments(node, (phrase) => standing.has(phrase))) continue
        for (const id of ids) found.set(id, page)
      }
    }
    return found
  }
}
