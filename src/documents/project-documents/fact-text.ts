import {
  DOCUMENT_FACTS,
  type DocumentFact,
  type DocumentFactName,
  type FactValue,
} from '#contract/documents/document.ts'
import { findDocumentFact, type ProjectDocument } from '#contract/documents/project-document.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { groupDigits } from '#contract/thai/thai-number.ts'

const UNITS = { day: 'วัน', month: 'เดือน', year: 'ปี' } as const
const percent = (value: number) => `${groupDigits(value, 0, 4)}%`

/** Returns the date. Slicing works because date-times are already in Bangkok time: `2026-06-08T13:00:00+07:00`. */
const dayOf = (dateTime: string) => dateTime.slice(0, 10)
const timeOf = (dateTime: string) => dateTime.slice(11, 16)

export function formatDocumentFactValue(value: FactValue | undefined): string | undefined {
  if (value === undefined) return undefined
  if (value.kind === 'amount') return `${groupDigits(value.baht, 2)} บาท`
  if (value.kind === 'date') return formatThaiDateShortOrOriginal(value.date)
  if (value.kind === 'percent') return percent(value.percent)
  if (value.kind === 'shares') return value.percents.map(percent).join(' / ')
  if (value.kind === 'duration') return `${groupDigits(value.count, 0)} ${UNITS[value.unit]}`
  if (value.kind === 'text') return value.text
  const { from, to } = value
  if (dayOf(from) === dayOf(to))
    return `${formatThaiDateShortOrOriginal(dayOf(from))} เวลา ${timeOf(from)}–${timeOf(to)} น.`
  return `${formatThaiDateShortOrOriginal(dayOf(from))} ${timeOf(from)} น. – ${formatThaiDateShortOrOriginal(dayOf(to))} ${timeOf(to)} น.`
}

export const getMissingDocumentFactReason = ({ is_unchecked }: Pick<DocumentFact, 'is_unchecked'>): string =>
  is_unchecked ? 'ดูจากประโยค' : 'อ่านไม่ชัด'

export const getDocumentFactLabel = (name: DocumentFactName): string => DOCUMENT_FACTS[name].label

/** Facts that decide whether to bid, in display order; the reader shows all others. */
const MAIN_FACTS: readonly DocumentFactName[] = [
  'bid_window',
  'reference_price',
  'bid_bond',
  'contract_guarantee',
  'delivery',
]
const MAX_MAIN_FACTS = 4

export function selectMainDocumentFacts(document: Pick<ProjectDocument, 'facts'>): DocumentFact[] {
  return MAIN_FACTS.flatMap((name) => findDocumentFact(document, name) ?? []).slice(0, MAX_MAIN_FACTS)
}

export type EgpSubmissionDeadline = { readonly submission_end_date: string | null }

/** Warns if the document clearly states another submission deadline than e-GP; neither replaces the other. */
export function formatDocumentDeadlineConflict(
  document: Pick<ProjectDocument, 'facts'>,
  row: EgpSubmissionDeadline,
): string | undefined {
  const window = findDocumentFact(document, 'bid_window')
  if (window?.state !== 'clear' || window.value?.kind !== 'window' || row.submission_end_date === null) return undefined
  const day = dayOf(window.value.to)
  if (day === row.submission_end_date) return undefined
  return `เอกสารระบุวันยื่นข้อเสนอ ${formatThaiDateShortOrOriginal(day)} ต่างจาก e-GP ที่ระบุ ${formatThaiDateShortOrOriginal(row.submission_end_date)} ตรวจสอบกับหน่วยงานก่อนยื่น`
}
