import type { FieldChange } from '../catalogue/field-change.ts'
import { getChoiceLabel } from '../catalogue/project.ts'
import { findProjectFact, type ProjectFact } from '../catalogue/project-facts.ts'
import { findReportColumn } from '../catalogue/report-columns.ts'
import { formatThaiDateShortOrOriginal } from '../thai/thai-date.ts'
import { formatBaht } from '../thai/thai-number.ts'

export type FieldChangeText = { readonly field: string; readonly old: string; readonly new: string }

function valueText(fact: ProjectFact | undefined, value: string | null): string {
  if (value === null || value === '') return 'ไม่มีข้อมูล'
  if (fact?.type === 'money' && Number.isFinite(Number(value))) return formatBaht(Number(value))
  if (fact?.type === 'day') return formatThaiDateShortOrOriginal(value)
  return fact?.type === 'enumeration' ? getChoiceLabel(fact.choices, value) : value
}

export function formatFieldChange(change: FieldChange): FieldChangeText {
  const fact = findProjectFact(change.field)
  return {
    field: fact?.th ?? findReportColumn(change.field)?.title ?? change.field,
    old: valueText(fact, change.old),
    new: valueText(fact, change.new),
  }
}
