import type { SearchNode, SearchTerm } from '#contract/search/search-grammar.ts'

/**
 * Evaluates a search over rows like `matchesSearch`: 1 for each matching row. `find` does so for one term; its array is
 * modified, so it must not be shared.
 */
export async function foundBy(node: SearchNode, find: (term: SearchTerm) => Promise<Uint8Array>): Promise<Uint8Array> {
  if (node.kind === 'term') return await find(node)
  if (node.kind === 'not') {
    const dropped = await foundBy(node.drop, find)
    const kept = node.keep && (await foundBy(node.keep, find))
    for (let at = 0; at < dropped.length; at += 1) dropped[at] = (kept ? kept[at]! : 1) & (dropped[at]! ^ 1)
    return dropped
  }
  const [first, ...rest] = node.parts
  const found = await foundBy(first!, find)
  for (const part of rest) {
    const other = await foundBy(part, find)
    if (node.kind === 'and') for (let at = 0; at < found.length; at += 1) found[at] = found[at]! & other[at]!
    else for (let at = 0; at < found.length; at += 1) found[at] = found[at]! | other[at]!
  }
  return found
}
