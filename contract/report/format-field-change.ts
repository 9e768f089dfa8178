import type { FieldChange } from '../catalogue/field-change.ts'
import {
  getChoiceLabel,
  PROCUREMENT_METHOD_TYPES,
  PROCUREMENT_METHODS,
  PROJECT_CRITERIA,
  PROJECT_MOVEMENTS,
  PROJECT_STATUSES,
} from '../catalogue/project.ts'
import { REPORT_COLUMNS } from '../catalogue/report-columns.ts'
import { formatThaiDayOrOriginal } from '../thai/thai-date.ts'
import { formatBaht } from '../thai/thai-number.ts'

export type FieldChangeText = { readonly field: string; readonly old: string; readonly new: string }

const OTHER_FIELDS: Readonly<Record<string, string>> = {
  contract_signed_date: 'วันลงนามสัญญา',
  dept_name: 'หน่วยงานต้นสังกัด',
}
const CHOICES_BY_FIELD: Readonly<Record<string, readonly { code: string; th: string }[]>> = {
  status: PROJECT_STATUSES,
  movement: PROJECT_MOVEMENTS,
  criteria: PROJECT_CRITERIA,
  method: PROCUREMENT_METHODS,
  method_type: PROCUREMENT_METHOD_TYPES,
}

function valueText(field: string, kind: string | undefined, value: string | null): string {
  if (value === null || value === '') return 'ไม่มีข้อมูล'
  if (kind === 'money' && Number.isFinite(Number(value))) return formatBaht(Number(value))
  if (kind === 'date' || field.endsWith('_date')) return formatThaiDayOrOriginal(value)
  return getChoiceLabel(CHOICES_BY_FIELD[field] ?? [], value)
}

export function formatFieldChange(change: FieldChange): FieldChangeText {
  const column = REPORT_COLUMNS.find(({ field }) => field === change.field)
  return {
    field: column?.title ?? OTHER_FIELDS[change.field] ?? change.field,
    old: valueText(change.field, column?.kind, change.old),
    new: valueText(change.field, column?.kind, change.new),
  }
}
