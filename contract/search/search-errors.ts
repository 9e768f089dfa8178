import type { SearchErrorCode } from './search-grammar.ts'
import { SEARCH_LIMITS } from './search-grammar.ts'

export const SEARCH_ERROR_TEXTS: Readonly<Record<SearchErrorCode, string>> = {
  E_BRACKET: 'วงเล็บตรงนี้ไม่ครบคู่ ถ้าเป็นส่วนหนึ่งของคำให้พิมพ์ \\ นำหน้า',
  E_OPERAND: 'ขาดคำข้างเครื่องหมายตรงนี้',
  E_OPERATOR: 'ระหว่างคำใช้ ## || หรือ << พิมพ์ติดกันสองตัวพอดี',
  E_QUOTE: 'ขาดเครื่องหมายคำพูดปิด "',
  E_SHORT: `คำค้นต้องมีอย่างน้อย ${SEARCH_LIMITS.termLength} ตัวอักษร`,
  E_DEPTH: `ซ้อนวงเล็บได้ไม่เกิน ${SEARCH_LIMITS.depth} ชั้น`,
  E_EMPTY: 'พิมพ์คำที่ต้องการค้นหา',
  E_LENGTH: `คำค้นรวมกันยาวได้ไม่เกิน ${SEARCH_LIMITS.characters} ตัวอักษร`,
  E_TERMS: `ใส่ได้ไม่เกิน ${SEARCH_LIMITS.terms} คำ`,
  E_TERMS_EVERYWHERE: `ค้นทุกช่องใส่ได้ไม่เกิน ${SEARCH_LIMITS.termsEverywhere} คำ เลือกค้นช่องเดียวใส่ได้ถึง ${SEARCH_LIMITS.terms} คำ`,
  E_SHORT_DOCUMENT: 'คำค้นในเอกสารต้องมีอย่างน้อย 3 ตัวอักษร',
  E_TERMS_DOCUMENT: 'ค้นในเอกสารใส่ได้ไม่เกิน 12 คำ',
}
