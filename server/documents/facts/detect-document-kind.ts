import type { DocumentFactName, DocumentKind } from '#contract/documents/document.ts'
import { foldThaiText } from './folded-document.ts'

const TOP_LINES = 14
const words = (...list: string[]) => list.map(foldThaiText)

const INVITATION = words('ประกวดราคา', 'สอบราคา', 'ประกาศเชิญชวน')
const BIDDING_DOCUMENT = words('เอกสารประกวดราคา', 'เอกสารสอบราคา', 'ร่างเอกสารประกวดราคา')
const TOR = words('ขอบเขตของงาน', 'ร่างขอบเขตของงาน', 'ขอบเขตงาน', 'ร่างขอบเขตงาน', 'รายละเอียดขอบเขตของงาน')
const PRICE_TABLE = words('ตารางแสดงวงเงินงบประมาณ', 'แบบ บก.', 'ราคากลาง(ราคาอ้างอิง)')
const WINNER = words('ประกาศผู้ชนะ', 'รายชื่อผู้ชนะ')
const ANNOUNCEMENT = foldThaiText('ประกาศ')
const DRAFT = foldThaiText('ร่าง')
const ABOUT = foldThaiText('เรื่อง')
const MAX_HEADING_LENGTH = 160
const NON_TENDER_HEADINGS = words(
  'ราชกิจจานุเบกษา',
  'พระราชบัญญัติ',
  'กฎกระทรวง',
  'ระเบียบกระทรวง',
  'คู่มือ',
  'สารบัญ',
  'แนวทางปฏิบัติ',
  'หนังสือเวียน',
)

/**
 * Classifies a document by the first lines of its first page. When in doubt returns `other`, for which nothing is
 * extracted, so a handbook about tenders yields no dates.
 */
export function detectDocumentKind(pages: readonly string[]): DocumentKind {
  const first = pages.find((page) => page.trim() !== '') ?? ''
  const lines = first
    .split('\n')
    .map(foldThaiText)
    .filter((line) => line !== '')
    .slice(0, TOP_LINES)
  const starts = (list: readonly string[], among = lines) =>
    among.some((line) => line.length <= MAX_HEADING_LENGTH && list.some((word) => line.startsWith(word)))
  if (lines.some((line) => NON_TENDER_HEADINGS.some((word) => line.startsWith(word)))) return 'other'
  const top = lines.slice(0, 4)
  const isDraft = top.some((line) => line === DRAFT || line === `(${DRAFT})` || line.startsWith(DRAFT + ANNOUNCEMENT))
  if (starts(PRICE_TABLE, top)) return 'price-table'
  if (starts(BIDDING_DOCUMENT, top)) return 'bidding-document'
  if (starts(TOR, top)) return 'tor'
  const announced = lines.findIndex((line) => line.startsWith(ANNOUNCEMENT) || line.startsWith(DRAFT + ANNOUNCEMENT))
  if (announced === -1 || announced > 4) return 'other'
  // "เรื่อง" is either on a separate line or follows the agency, so search the joined lines.
  const heading = lines.slice(announced, announced + 6).join('')
  const about = heading.indexOf(ABOUT)
  if (about === -1 || about > 200) return 'other'
  const subject = heading.slice(about + ABOUT.length)
  if (WINNER.some((word) => subject.startsWith(word))) return 'winner'
  if (!INVITATION.some((word) => subject.slice(0, 60).includes(word))) return 'other'
  return isDraft ? 'draft' : 'invitation'
}

const COMMON_FACTS: readonly DocumentFactName[] = ['title', 'agency', 'method', 'document_number', 'phone', 'email']
const TERM_FACTS: readonly DocumentFactName[] = [
  'delivery',
  'contract_guarantee',
  'penalty',
  'past_work',
  'contractor_class',
  'criterion',
  'weights',
  'pass_mark',
  'warranty',
  'payments',
  'certificate',
  'question_deadline',
]

/** Facts extracted per kind of document. A date in a TOR is not the bid window, so that fact is not extracted there. */
export const DOCUMENT_KIND_FACTS: Readonly<Record<DocumentKind, ReadonlySet<DocumentFactName>>> = {
  invitation: new Set([
    ...COMMON_FACTS,
    'reference_price',
    'bid_window',
    'announced',
    'document_fee',
    'question_deadline',
  ]),
  draft: new Set([...COMMON_FACTS, 'reference_price', 'bid_window', 'document_fee', 'hearing_end']),
  'bidding-document': new Set([...COMMON_FACTS, ...TERM_FACTS, 'bid_window', 'bid_bond', 'document_fee']),
  tor: new Set([
    ...COMMON_FACTS.filter((fact) => fact !== 'document_number'),
    ...TERM_FACTS,
    'budget',
    'reference_price',
  ]),
  'price-table': new Set(['agency', 'budget', 'reference_price']),
  winner: new Set([...COMMON_FACTS, 'announced', 'winner', 'award_price']),
  other: new Set(),
}
