import { z } from 'zod/mini'

/**
 * What reading a file of a tender gives. A file is read in a process of its own (`server/documents/read-document.ts`), which answers with this
 * shape as JSON. What it says is text of strangers: show it as text, never as markup, and believe a value only where its fact is `clear`.
 */

/** Largest file that is read, in bytes, and most pages of it. */
export const MOST_DOCUMENT_BYTES = 50 * 1024 * 1024
export const MOST_DOCUMENT_PAGES = 500

/**
 * What kind of paper it is, told from its first pages. `draft` is an invitation with blanks, published to be criticised; `bidding-document` the long
 * one (`doc_*`); `tor` the terms of reference; `price-table` the table of budget and reference price; `other` anything else, of which no facts are read.
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

/** Why a file could not be read, with the sentence for the user. */
export const UNREADABLE_REASONS = {
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
export type UnreadableReason = keyof typeof UNREADABLE_REASONS
const reasonSchema = z.enum(Object.keys(UNREADABLE_REASONS) as [UnreadableReason, ...UnreadableReason[]])

/** A reading that was ended from outside may go well once the machine is idle: it is tried once more, then never again for that content. */
export const isWorthAnotherTry = (reason: UnreadableReason): boolean =>
  reason === 'time' || reason === 'memory' || reason === 'crashed'

/** Money in baht, at most two decimals. */
const amount = z.object({ kind: z.literal('amount'), baht: z.number() })
/** ISO day. */
const date = z.object({ kind: z.literal('date'), date: z.string() })
/** ISO moments with the offset of Bangkok: `2026-06-08T13:00:00+07:00`. */
const window = z.object({ kind: z.literal('window'), from: z.string(), to: z.string() })
/** `0.1` is 0.1 %. */
const percent = z.object({ kind: z.literal('percent'), percent: z.number() })
/** Percents in the order of the document, 100 in all. */
const shares = z.object({ kind: z.literal('shares'), percents: z.array(z.number()) })
const duration = z.object({
  kind: z.literal('duration'),
  count: z.number(),
  unit: z.enum(['day', 'month', 'year']),
})
const text = z.object({ kind: z.literal('text'), text: z.string() })
// Not `discriminatedUnion`, which nothing else in the browser needs: its 1.2 kB would lie in what /login loads.
export const factValueSchema = z.union([amount, date, window, percent, shares, duration, text])
export type FactValue = z.output<typeof factValueSchema>

/** The facts: Thai label and kind of value. Which of them are told with their value is decided by the operator, once enough was checked by hand (`fact-gate.ts`). */
export const FACTS = {
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
  /** Of the price first, then of everything else. */
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
export type FactName = keyof typeof FACTS
export const FACT_NAMES = Object.keys(FACTS) as FactName[]

/**
 * One fact as the document states it. `clear`: the value passed the checks of its rule. `unsure`: the sentence was found, the checks failed or the
 * document contradicts itself; there is no value, and it must not feed sorting, warnings or deadlines. A fact of which nothing was found is not listed.
 * `certificate`, `phone` and `email` may stand more than once, every other fact once.
 */
export const documentFactSchema = z.object({
  fact: z.enum(FACT_NAMES as [FactName, ...FactName[]]),
  state: z.enum(['clear', 'unsure']),
  /** Told as its sentence, as its kind was not checked on enough living documents: the state is unsure. */
  is_unchecked: z.optional(z.boolean()),
  value: z.optional(factValueSchema),
  /** As it stands on the page: `pages[page - 1].text.slice(offset, offset + sentence.length)`. */
  sentence: z.string(),
  /** From 1. */
  page: z.number(),
  offset: z.number(),
})
export type DocumentFact = z.output<typeof documentFactSchema>

/**
 * `read`: there is text. `scan`: pictures of pages, with too little text to count (below 40 Thai letters a page); pages hold what there is, facts none.
 * `unreadable`: `reason` says why; no pages, no facts.
 */
export const documentReadingSchema = z.object({
  outcome: z.enum(['read', 'scan', 'unreadable']),
  reason: z.optional(reasonSchema),
  kind: z.enum(DOCUMENT_KINDS),
  /** Lines of each page in the order of the eye, joined by \n, Thai marks normalised, digits and blanks as they are. */
  pages: z.array(z.object({ text: z.string() })),
  facts: z.array(documentFactSchema),
})
export type DocumentReading = z.output<typeof documentReadingSchema>

/** What a file in a bundle is, told from its name. `template`: an empty form to be filled in; it is not unpacked. */
export const BUNDLE_ROLES = ['announcement', 'bidding-document', 'tor', 'price-table', 'template', 'other'] as const
export type BundleRole = (typeof BUNDLE_ROLES)[number]

/**
 * What unpacking a bundle (ZIP) gives. Members are written as `0.pdf`, `1.pdf` … into the folder of the caller, which reads each as a document of its own.
 * `name` is for the eye alone, never part of a path. `file` is missing where a member was not unpacked: templates, folders, anything but PDF.
 */
export const bundleReadingSchema = z.object({
  outcome: z.enum(['read', 'unreadable']),
  reason: z.optional(reasonSchema),
  members: z.array(
    z.object({
      name: z.string(),
      role: z.enum(BUNDLE_ROLES),
      /** Bytes when unpacked. */
      size: z.number(),
      file: z.optional(z.string()),
    }),
  ),
})
export type BundleReading = z.output<typeof bundleReadingSchema>
