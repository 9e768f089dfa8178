import { type DocumentFact, FACTS, type FactName, type FactValue } from '#contract/documents/document.ts'
import { factOf, type ProjectDocument } from '#contract/documents/project-document.ts'
import { thaiDay } from '#contract/thai/thai-date.ts'
import { groupDigits } from '#contract/thai/thai-number.ts'

const UNITS = { day: 'วัน', month: 'เดือน', year: 'ปี' } as const
const percent = (value: number) => `${groupDigits(value, 0, 4)}%`

/** Date-times are in Bangkok time: `2026-06-08T13:00:00+07:00`. */
const dayOf = (dateTime: string) => dateTime.slice(0, 10)
const timeOf = (dateTime: string) => dateTime.slice(11, 16)

export function factText(value: FactValue | undefined): string | undefined {
  if (value === undefined) return undefined
  if (value.kind === 'amount') return `${groupDigits(value.baht, 2)} บาท`
  if (value.kind === 'date') return thaiDay(value.date)
  if (value.kind === 'percent') return percent(value.percent)
  if (value.kind === 'shares') return value.percents.map(percent).join(' / ')
  if (value.kind === 'duration') return `${groupDigits(value.count, 0)} ${UNITS[value.unit]}`
  if (value.kind === 'text') return value.text
  const { from, to } = value
  if (dayOf(from) === dayOf(to)) return `${thaiDay(dayOf(from))} เวลา ${timeOf(from)}–${timeOf(to)} น.`
  return `${thaiDay(dayOf(from))} ${timeOf(from)} น. – ${thaiDay(dayOf(to))} ${timeOf(to)} น.`
}

/**
 * Explains a missing value: the kind of fact is not yet validated on enough documents, or the reading failed its
 * checks.
 */
export const unsureText = ({ is_unchecked }: Pick<DocumentFact, 'is_unchecked'>): string =>
  is_unchecked ? 'ดูจากประโยค' : 'อ่านไม่ชัด'

export const factLabel = (name: FactName): string => FACTS[name].label

/** Facts that decide whether to bid, in display order; the reader shows all others. */
const MAIN_FACTS: readonly FactName[] = ['bid_window', 'reference_price', 'bid_bond', 'contract_guarantee', 'delivery']
const MAX_MAIN_FACTS = 4

export function mainFacts(document: Pick<ProjectDocument, 'facts'>): DocumentFact[] {
  return MAIN_FACTS.flatMap((name) => factOf(document, name) ?? []).slice(0, MAX_MAIN_FACTS)
}

export type FeedDates = { readonly submission_end_date: string | null }

/**
 * Returns a warning if the document clearly states another submission deadline than e-GP; neither replaces the other.
 */
export function deadlineConflict(document: Pick<ProjectDocument, 'facts'>, row: FeedDates): string | undefined {
  const window = factOf(document, 'bid_window')
  if (window?.state !== 'clear' || window.value?.kind !== 'window' || row.submission_end_date === null) return undefined
  const day = dayOf(window.value.to)
  if (day === row.submission_end_date) return undefined
  return `เอกสารระบุวันยื่นข้อเสนอ ${thaiDay(day)} ต่างจาก e-GP ที่ระบุ ${thaiDay(row.submission_end_date)} ตรวจสอบกับหน่วยงานก่อนยื่น`
}
