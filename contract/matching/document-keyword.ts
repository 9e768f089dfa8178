import { getRequiredFoldedPhrases, parseDocumentSearchExpression } from '../documents/document-search-expression.ts'
import type { SearchNode } from '../search/search-grammar.ts'

/**
 * Limits of watch words that also search public documents ("ค้นในเอกสารด้วย", decision 0120). These words are
 * expressions of the list `include`, evaluated per page.
 */

export const MAX_DOCUMENT_KEYWORDS = 20
const MIN_DOCUMENT_KEYWORD_LENGTH = 4
export const MAX_DOCUMENT_KEYWORD_PAGE_SHARE = 0.05

export const DOCUMENT_KEYWORD_PROBLEM_TEXTS = {
  short: `คำที่ค้นในเอกสารต้องยาวอย่างน้อย ${MIN_DOCUMENT_KEYWORD_LENGTH} ตัวอักษร`,
  nothing_wanted: 'คำที่ค้นในเอกสารต้องมีคำที่ต้องพบอย่างน้อยหนึ่งคำ',
  unreadable: 'คำนี้ค้นในเอกสารไม่ได้ ตรวจเครื่องหมายและจำนวนคำ',
  limit: `เปิดค้นในเอกสารได้ไม่เกิน ${MAX_DOCUMENT_KEYWORDS} คำ`,
  list: 'ค้นในเอกสารได้เฉพาะคำที่ต้องมีในชื่อโครงการ',
} as const

export function parseDocumentKeyword(
  word: string,
): { readonly ok: true; readonly node: SearchNode } | { readonly ok: false; readonly text: string } {
  const refused = (why: keyof typeof DOCUMENT_KEYWORD_PROBLEM_TEXTS) =>
    ({ ok: false, text: DOCUMENT_KEYWORD_PROBLEM_TEXTS[why] }) as const
  const parsed = parseDocumentSearchExpression(word)
  if (!parsed.ok) return refused(parsed.error.code === 'E_SHORT_DOCUMENT' ? 'short' : 'unreadable')
  if (!hasRequiredWord(parsed.node)) return refused('nothing_wanted')
  return getRequiredFoldedPhrases(parsed.node).some((phrase) => phrase.length < MIN_DOCUMENT_KEYWORD_LENGTH)
    ? refused('short')
    : { ok: true, node: parsed.node }
}

function hasRequiredWord(node: SearchNode): boolean {
  if (node.kind === 'term') return true
  if (node.kind === 'not') return node.keep !== null && hasRequiredWord(node.keep)
  return node.kind === 'and' ? node.parts.some(hasRequiredWord) : node.parts.every(hasRequiredWord)
}
