import type { SearchNode, SearchTerm } from '#contract/search/search-grammar.ts'

/**
 * Evaluates a search over rows by the same rules as `matchesSearch`; returns 1 for each matching row. `find` returns
 * such an array for one term. That array is modified, so it must not be shared.
 */
export async function evaluateSearch(
  node: SearchNode,
  find: (term: SearchTerm) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  if (node.kind === 'term') return await find(node)
  if (node.kind === 'not') {
    const dropped = await evaluateSearch(node.drop, find)
    const includedRows = node.keep && (await evaluateSearch(node.keep, find))
    for (let at = 0; at < dropped.length; at += 1)
      dropped[at] = (includedRows ? includedRows[at]! : 1) & (dropped[at]! ^ 1)
    return dropped
  }
  const [first, ...remainder] = node.parts
  const matches = await evaluateSearch(first!, find)
  for (const part of remainder) {
    const partMatches = await evaluateSearch(part, find)
    if (node.kind === 'and')
      for (let at = 0; at < matches.length; at += 1) matches[at] = matches[at]! & partMatches[at]!
    else for (let at = 0; at < matches.length; at += 1) matches[at] = matches[at]! | partMatches[at]!
  }
  return matches
}
