import { z } from 'zod/mini'

/**
 * What an import repaired, omitted or considers doubtful. A doubt belongs to one field of one project; the project
 * page, the exports and the list of loads show it by kind.
 */
export const DATA_ISSUE_KINDS = [
  'amount_is_id',
  'amount_too_high',
  'amount_too_low',
  'amount_zero',
  'amount_unreadable',
  'amount_currency',
  'award_pending',
  'date_unreadable',
  'date_impossible',
  'date_repaired',
  'date_end_of_utc_day',
  'tax_id_repaired',
  'tax_id_unreadable',
  'tax_id_check_digit',
  'province_unknown',
  'fiscal_year_unreadable',
  'text_damaged',
  'file_layout',
] as const
export type DataIssueKind = (typeof DATA_ISSUE_KINDS)[number]

export const dataIssueSchema = z.object({
  kind: z.enum(DATA_ISSUE_KINDS),
  field: z.string(),
  /** Value as in the source; if it was repaired, followed by the result: `7/2/1968 → 2025-02-07`. */
  value: z.string(),
})
export type DataIssue = z.output<typeof dataIssueSchema>

/**
 * Returns true if the import left out the budget. The column `project_doubts.has_doubtful_budget` applies the same
 * rule.
 */
export const isDoubtfulBudget = ({ kind, field }: Pick<DataIssue, 'kind' | 'field'>): boolean =>
  kind.startsWith('amount_') && field.startsWith('งบประมาณ')

/** Returns true if the import left out the reference price, so that the project only seems to have none. */
export const isDoubtfulEstimate = ({ kind, field }: Pick<DataIssue, 'kind' | 'field'>): boolean =>
  kind.startsWith('amount_') && field.startsWith('ราคากลาง')

/** False once another source stated a reference price. */
export const isEstimateInDoubt = (row: {
  readonly estimate_budget: number | null
  readonly doubts?: readonly DataIssue[] | undefined
}): boolean => row.estimate_budget === null && (row.doubts ?? []).some(isDoubtfulEstimate)

export const isBudgetInDoubt = (row: {
  readonly budget: number | null
  readonly doubts?: readonly DataIssue[] | undefined
}): boolean => row.budget === null && (row.doubts ?? []).some(isDoubtfulBudget)

export const DATA_ISSUE_LABELS: Readonly<Record<DataIssueKind, string>> = {
  amount_is_id: 'จำนวนเงินเป็นเลขประจำตัว',
  amount_too_high: 'จำนวนเงินสูงผิดปกติ',
  amount_too_low: 'จำนวนเงินต่ำผิดปกติ',
  amount_zero: 'จำนวนเงินเป็นศูนย์',
  amount_unreadable: 'อ่านจำนวนเงินไม่ได้',
  amount_currency: 'ไม่ใช่เงินบาท',
  award_pending: 'ผลยังไม่ถึงที่สุด',
  date_unreadable: 'อ่านวันที่ไม่ได้',
  date_impossible: 'วันที่เป็นไปไม่ได้',
  date_repaired: 'วันที่ซ่อมแล้ว',
  date_end_of_utc_day: 'เวลาสิ้นวันตาม UTC',
  tax_id_repaired: 'เลขนิติบุคคลซ่อมแล้ว',
  tax_id_unreadable: 'อ่านเลขนิติบุคคลไม่ได้',
  tax_id_check_digit: 'เลขท้ายนิติบุคคลไม่ตรง',
  province_unknown: 'ไม่รู้จักจังหวัด',
  fiscal_year_unreadable: 'อ่านปีงบประมาณไม่ได้',
  text_damaged: 'ตัวอักษรเสีย',
  file_layout: 'รูปแบบไฟล์ต่างจากปกติ',
}

const CONSEQUENCES: Readonly<Record<DataIssueKind, string>> = {
  amount_is_id: 'เป็นเลขนิติบุคคลหรือเลขโครงการ ไม่ใช่จำนวนเงิน จึงไม่นำไปคิดในยอดรวมและค่ากลาง',
  amount_too_high: 'สูงกว่างบประมาณ ราคากลาง หรือราคาที่ตกลงหลายเท่า อาจใส่จุดทศนิยมผิด จึงไม่นำไปคิดในยอดรวมและค่ากลาง',
  amount_too_low: 'ต่ำกว่างบประมาณ ราคากลาง หรือราคาที่ตกลงหลายสิบเท่า อาจเป็นราคาต่อหน่วย จึงไม่นำไปคิดในยอดรวมและค่ากลาง',
  amount_zero: 'ไม่น่าใช่จำนวนเงินจริง จึงถือว่าไม่ทราบ',
  amount_unreadable: 'อ่านเป็นจำนวนเงินไม่ได้ จึงถือว่าไม่ทราบ',
  amount_currency: 'ไม่ใช่เงินบาท จึงถือว่าไม่ทราบ',
  award_pending: 'ยังไม่ถึงที่สุด จึงยังไม่นับเป็นผู้ชนะ',
  date_unreadable: 'อ่านเป็นวันที่ไม่ได้ จึงถือว่าไม่ทราบ',
  date_impossible: 'เป็นวันที่ที่เป็นไปไม่ได้ จึงถือว่าไม่ทราบ',
  date_repaired: 'โปรแกรมตารางเปลี่ยนรูปวันที่ไป ระบบอ่านกลับให้แล้ว',
  date_end_of_utc_day: 'ต้นทางระบุสิ้นวันตามเวลาสากล ระบบถือเป็นสิ้นวันเดียวกันของไทย',
  tax_id_repaired: 'ระบบเติมหรือลบอักขระให้เป็นเลข 13 หลักที่เลขท้ายตรง',
  tax_id_unreadable: 'ไม่ใช่รูปแบบที่รู้จัก จึงถือว่าไม่ทราบเลข',
  tax_id_check_digit: 'ไม่ผ่านการตรวจเลขท้าย',
  province_unknown: 'ไม่ใช่ชื่อจังหวัดที่รู้จัก จึงถือว่าไม่ทราบ',
  fiscal_year_unreadable: 'อ่านเป็นปีงบประมาณไม่ได้ จึงถือว่าไม่ทราบ',
  text_damaged: 'มีตัวอักษรที่ถอดไม่ได้',
  file_layout: 'ระบบอ่านให้แล้ว',
}

export function formatDataIssue({ kind, field, value }: DataIssue): string {
  return value === '' ? `${field}: ${CONSEQUENCES[kind]}` : `${field}: ต้นทางเขียนว่า "${value}" ${CONSEQUENCES[kind]}`
}
