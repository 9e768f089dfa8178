import { z } from 'zod/mini'

/**
 * Limits and result of reading a tender's file. A separate process reads the file (`server/documents/read-document.ts`)
 * and returns this shape as JSON. The text is untrusted: render it as text, never as markup, and use a value only if
 * its fact is `clear`.
 */

export const MAX_DOCUMENT_BYTES = 50 * 1024 * 1024
export const MAX_DOCUMENT_PAGES = 500

/**
 * Document kind, detected from the first pages. `draft` is an invitation with blanks, published for comment;
 * `bidding-document` the long one (`doc_*`); `tor` the terms of reference; `price-table` the table of budget and
 * reference price; `other` anything else, from which no facts are read.
 */
export const DOCUMENT_KINDS = [
  'invitation',
  'draft',
  'bidding-document',
  'tor',
  'price-table',
  'winner',
  'other',
] as const
export type DocumentKind = (typeof DOCUMENT_KINDS)[number]

export const DOCUMENT_KIND_LABELS: Readonly<Record<DocumentKind, string>> = {
  invitation: 'ประกาศเชิญชวน',
  draft: 'ร่างประกาศ',
  'bidding-document': 'เอกสารประกวดราคา',
  tor: 'ขอบเขตของงาน (TOR)',
  'price-table': 'ตารางราคากลาง',
  winner: 'ประกาศผู้ชนะ',
  other: 'เอกสารอื่น',
}

export const UNREADABLE_DOCUMENT_REASONS = {
  empty: 'ไฟล์ว่างเปล่า',
  'not-a-document': 'ไม่ใช่ไฟล์ PDF หรือ ZIP',
  encrypted: 'ไฟล์มีรหัสผ่าน',
  broken: 'ไฟล์เสียหรือมาไม่ครบ',
  'too-large': 'ไฟล์ใหญ่เกินกำหนด',
  'too-many-pages': 'มีหน้ามากเกินกำหนด',
  'too-many-entries': 'มีไฟล์ย่อยในชุดมากเกินกำหนด',
  'unsafe-name': 'ชื่อไฟล์ย่อยในชุดไม่ปลอดภัย',
  'no-documents': 'ในชุดไม่มีไฟล์ PDF',
  'too-compressed': 'ไฟล์ถูกบีบอัดผิดปกติ',
  time: 'ใช้เวลาอ่านนานเกินกำหนด',
  memory: 'ใช้หน่วยความจำเกินกำหนด',
  crashed: 'โปรแกรมอ่านไฟล์หยุดกลางคัน',
} as const
export type UnreadableDocumentReason = keyof typeof UNREADABLE_DOCUMENT_REASONS
export const unreadableDocumentReasonSchema = z.enum(
  Object.keys(UNREADABLE_DOCUMENT_REASONS) as [UnreadableDocumentReason, ...UnreadableDocumentReason[]],
)

/**
 * Returns true if reading the document was aborted. A second attempt may succeed on an idle machine, so the document is
 * read once more, then never again with the same content.
 */
export const isRetryableUnreadableDocumentReason = (reason: UnreadableDocumentReason): boolean =>
  reason === 'time' || reason === 'memory' || reason === 'crashed'

/** Amount in baht with at most two decimals. */
const amount = z.object({ kind: z.literal('amount'), baht: z.number() })
const date = z.object({ kind: z.literal('date'), date: z.string() })
/** Time window as ISO timestamps with Bangkok's offset: `2026-06-08T13:00:00+07:00`. */
const window = z.object({ kind: z.literal('window'), from: z.string(), to: z.string() })
/** Percentages: `0.1` means 0.1 %. Those of `shares` are in document order and total 100. */
const percent = z.object({ kind: z.literal('percent'), percent: z.number() })
const shares = z.object({ kind: z.literal('shares'), percents: z.array(z.number()) })
const duration = z.object({
  kind: z.literal('duration'),
  count: z.number(),
  unit: z.enum(['day', 'month', 'year']),
})
const text = z.object({ kind: z.literal('text'), text: z.string() })
// `discriminatedUnion` is avoided, because no other browser code uses it and it would add 1.2 kB to /login.
export const factValueSchema = z.union([amount, date, window, percent, shares, duration, text])
export type FactValue = z.output<typeof factValueSchema>

/**
 * Facts with Thai label and value type. The operator decides which values are shown, once enough were verified
 * manually (`fact-checks.ts`).
 */
export const DOCUMENT_FACTS = {
  bid_window: { label: 'วันเวลายื่นข้อเสนอ', kind: 'window' },
  reference_price: { label: 'ราคากลาง', kind: 'amount' },
  budget: { label: 'วงเงินงบประมาณ', kind: 'amount' },
  agency: { label: 'หน่วยงาน', kind: 'text' },
  title: { label: 'ชื่อโครงการ', kind: 'text' },
  method: { label: 'วิธีจัดหา', kind: 'text' },
  announced: { label: 'วันที่ประกาศ', kind: 'date' },
  document_number: { label: 'เลขที่เอกสาร', kind: 'text' },
  document_fee: { label: 'ราคาเอกสาร', kind: 'amount' },
  question_deadline: { label: 'ถามได้ถึงวันที่', kind: 'date' },
  hearing_end: { label: 'วิจารณ์ร่างได้ถึงวันที่', kind: 'date' },
  delivery: { label: 'กำหนดส่งมอบ', kind: 'duration' },
  bid_bond: { label: 'หลักประกันการเสนอราคา', kind: 'amount' },
  contract_guarantee: { label: 'หลักประกันสัญญา', kind: 'percent' },
  penalty: { label: 'ค่าปรับต่อวัน', kind: 'percent' },
  past_work: { label: 'ผลงานขั้นต่ำ', kind: 'amount' },
  contractor_class: { label: 'ชั้นผู้รับเหมา', kind: 'text' },
  criterion: { label: 'เกณฑ์ตัดสิน', kind: 'text' },
  /** Weight of the price, followed by the weight of all other criteria. */
  weights: { label: 'น้ำหนักราคา / เกณฑ์อื่น', kind: 'shares' },
  pass_mark: { label: 'คะแนนเทคนิคขั้นต่ำ', kind: 'percent' },
  warranty: { label: 'รับประกัน', kind: 'duration' },
  payments: { label: 'งวดเงิน', kind: 'shares' },
  certificate: { label: 'มาตรฐานที่ต้องมี', kind: 'text' },
  phone: { label: 'โทรศัพท์', kind: 'text' },
  email: { label: 'อีเมล', kind: 'text' },
  winner: { label: 'ผู้ชนะ', kind: 'text' },
  award_price: { label: 'ราคาที่ชนะ', kind: 'amount' },
} as const satisfies Readonly<Record<string, { label: string; kind: FactValue['kind'] }>>
export type DocumentFactName = keyof typeof DOCUMENT_FACTS
export const DOCUMENT_FACT_NAMES = Object.keys(DOCUMENT_FACTS) as DocumentFactName[]

/**
 * A fact as stated in the document. `clear`: the value passed the checks of its rule. `unsure`: the sentence exists,
 * but the checks failed or the document contradicts itself; it has no value and must not affect sorting, warnings or
 * deadlines. Missing facts are not listed. Only `certificate`, `phone` and `email` may occur more than once.
 */
export const documentFactSchema = z.object({
  fact: z.enum(DOCUMENT_FACT_NAMES as [DocumentFactName, ...DocumentFactName[]]),
  state: z.enum(['clear', 'unsure']),
  /**
   * True if only the sentence is shown because too few readings of this kind of fact were verified; the fact is then
   * `unsure`.
   */
  is_unchecked: z.optional(z.boolean()),
  value: z.optional(factValueSchema),
  /** Verbatim text of the document: `pages[page - 1].text.slice(offset, offset + sentence.length)`. */
  sentence: z.string(),
  page: z.number(),
  offset: z.number(),
})
export type DocumentFact = z.output<typeof documentFactSchema>

/**
 * `read`: the file has text. `scan`: the pages are images with too little text (below 40 Thai letters a page), so there
 * are pages but no facts. `unreadable`: see `reason`; there are neither pages nor facts.
 */
export const documentReadResultSchema = z.object({
  outcome: z.enum(['read', 'scan', 'unreadable']),
  reason: z.optional(unreadableDocumentReasonSchema),
  kind: z.enum(DOCUMENT_KINDS),
  /**
   * Text of each page: its lines in visual order, joined by line feeds. Thai marks are normalised; digits and spaces
   * are unchanged.
   */
  pages: z.array(z.object({ text: z.string() })),
  facts: z.array(documentFactSchema),
})
export type DocumentReadResult = z.output<typeof documentReadResultSchema>

/** Role of a file in a bundle, determined from its name. `template` is a blank form, which is not unpacked. */
const BUNDLE_FILE_ROLES = ['announcement', 'bidding-document', 'tor', 'price-table', 'template', 'other'] as const
export type BundleFileRole = (typeof BUNDLE_FILE_ROLES)[number]

/**
 * Result of unpacking a bundle (ZIP). The unpacked files are written as `0.pdf`, `1.pdf` … into the caller's folder,
 * and the caller reads each as a separate document. `name` is for display only, never part of a path. `file` is missing
 * for files that were not unpacked: templates, folders, anything but PDF.
 */
export const bundleUnpackResultSchema = z.object({
  outcome: z.enum(['read', 'unreadable']),
  reason: z.optional(unreadableDocumentReasonSchema),
  members: z.array(
    z.object({
      name: z.string(),
      role: z.enum(BUNDLE_FILE_ROLES),
      /** Unpacked size in bytes. */
      size: z.number(),
      file: z.optional(z.string()),
    }),
  ),
})
export type BundleUnpackResult = z.output<typeof bundleUnpackResultSchema>
