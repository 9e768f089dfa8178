import { parseDocumentExpression, phraseOf } from '../documents/document-words.ts'
import type { SearchNode } from '../search/search-grammar.ts'

/**
 * Watch words that also search public documents ("ค้นในเอกสารด้วย", decision 0120): expressions of the list `include`,
 * evaluated per page.
 */

export const MOST_DOCUMENT_KEYWORDS = 20
/** Shorter words occur on every other page. */
export const SHORTEST_DOCUMENT_WORD = 4
/** Words that occur on a larger share of all pages are too common to be useful. */
export const LARGEST_PAGE_SHARE = 0.05

export const DOCUMENT_WORD_TEXTS = {
  short: `คำที่ค้นในเอกสารต้องยาวอย่างน้อย ${SHORTEST_DOCUMENT_WORD} ตัวอักษร`,
  nothing_wanted: 'คำที่ค้นในเอกสารต้องมีคำที่ต้องพบอย่างน้อยหนึ่งคำ',
  unreadable: 'คำนี้ค้นในเอกสารไม่ได้ ตรวจเครื่องหมายและจำนวนคำ',
  limit: `เปิดค้นในเอกสารได้ไม่เกิน ${MOST_DOCUMENT_KEYWORDS} คำ`,
  list: 'ค้นในเอกสารได้เฉพาะคำที่ต้องมีในชื่อโครงการ',
} as const

export function readDocumentWord(
  word: string,
): { readonly ok: true; readonly node: SearchNode } | { readonly ok: false; readonly text: string } {
  const refused = (why: keyof typeof DOCUMENT_WORD_TEXTS) => ({ ok: false, text: DOCUMENT_WORD_TEXTS[why] }) as const
  const parsed = parseDocumentExpression(word)
  if (!parsed.ok) return refused(parsed.error.code === 'E_SHORT_DOCUMENT' ? 'short' : 'unreadable')
  if (!alwaysWants(parsed.node)) return refused('nothing_wanted')
  return wantedPhrases(parsed.node).some((phrase) => phrase.length < SHORTEST_DOCUMENT_WORD)
    ? refused('short')
    : { ok: true, node: parsed.node }
}

export function wantedPhrases(node: SearchNode): string[] {
  if (node.kind === 'term') return [phraseOf(node)]
  if (node.kind === 'not') return node.keep ? wantedPhrases(node.keep) : []
  return node.parts.flatMap(wantedPhrases)
}

/** True if a matching page always contains a required word. */
function alwaysWants(node: SearchNode): boolean {
  if (node.kind === 'term') return true
  if (node.kind === 'not') return node.keep !== null && alwaysWants(node.keep)
  return node.kind === 'and' ? node.parts.some(alwaysWants) : node.parts.every(alwaysWants)
}
