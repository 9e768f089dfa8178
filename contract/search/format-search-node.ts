import { SEARCH_GRAMMAR_CHARACTERS_PATTERN } from './search-characters.ts'
import type { SearchNode } from './search-grammar.ts'

/**
 * Escapes every grammar character. Escaping only doubled ones would let a term ending in `|` merge with the next `||`.
 */
export function escapeSearchText(text: string): string {
  return text.replace(SEARCH_GRAMMAR_CHARACTERS_PATTERN, '\\$&')
}

const quote = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`

const PRECEDENCE = { not: 0, or: 1, and: 2, term: 3 } as const

/**
 * Formats a node as an expression that parses to the same node. `explicit` also brackets `##` inside `||`, which is
 * redundant but clearer.
 */
export function formatSearchNode(node: SearchNode, explicit = false): string {
  const printChild = (child: SearchNode, weakest: number): string => {
    const text = formatSearchNode(child, explicit)
    const isBare = PRECEDENCE[child.kind] >= weakest && !(explicit && node.kind === 'or' && child.kind === 'and')
    return isBare ? text : `(${text})`
  }
  if (node.kind === 'term') return node.quoted ? quote(node.text) : escapeSearchText(node.text)
  if (node.kind === 'not') return `${node.keep ? printChild(node.keep, 0) : ''}<<${printChild(node.drop, 1)}`
  const [sign, weakest] = node.kind === 'and' ? (['##', 3] as const) : (['||', 2] as const)
  return node.parts.map((child) => printChild(child, weakest)).join(sign)
}
