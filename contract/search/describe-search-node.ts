import { groupDigits } from '../thai/thai-number.ts'
import { formatSearchNode } from './format-search-node.ts'
import type { SearchNode } from './search-grammar.ts'
import { parseSearchExpression } from './search-grammar.ts'
import { getHighlightWord } from './search-highlight.ts'

const wrap = (node: SearchNode) => (node.kind === 'term' ? getHighlightWord(node) : `(${phrase(node)})`)

/** Flattens everything after `แต่ไม่มี` into one list, because alternatives and repeated `<<` exclude alike. */
function excludedNodes(node: SearchNode): SearchNode[] {
  return node.kind === 'or' ? node.parts.flatMap(excludedNodes) : [node]
}

function phrase(node: SearchNode): string {
  if (node.kind === 'term') return getHighlightWord(node)
  if (node.kind !== 'not') return node.parts.map(wrap).join(node.kind === 'and' ? ' และ ' : ' หรือ ')
  let keep: SearchNode | null = node
  let drops: SearchNode[] = []
  while (keep?.kind === 'not') {
    drops = [...excludedNodes(keep.drop), ...drops]
    keep = keep.keep
  }
  const without = drops.map(wrap).join(', ')
  return keep ? `${phrase(keep)} แต่ไม่มี ${without}` : `ไม่มี ${without}`
}

/**
 * Returns a parsed search in Thai words: `มี (กล้อง หรือ CCTV) และ ติดตั้ง แต่ไม่มี ซ่อม, เช่า`, with brackets as
 * parsed.
 */
export function describeSearchNode(node: SearchNode): string {
  const text = phrase(node)
  return text.startsWith('ไม่มี ') && node.kind === 'not' ? text : `มี ${text}`
}

export function describeSearchResult(fieldName: string, node: SearchNode, total: number | null): string {
  const count = total === null ? '' : ` — ${groupDigits(total)} โครงการ`
  return `${fieldName}: ${describeSearchNode(node)}${count}`
}

/**
 * Returns the expression with explicit brackets when `##` and `||` were mixed without any, else null. Used for a hint:
 * `กล้อง##วงจรปิด||CCTV` gives `(กล้อง##วงจรปิด)||CCTV`.
 */
export function suggestSearchBrackets(text: string): string | null {
  const parsed = parseSearchExpression(text)
  return parsed.ok && parsed.mixed ? formatSearchNode(parsed.node, true) : null
}
