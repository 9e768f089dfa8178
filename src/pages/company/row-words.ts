import type { CompanyDetail } from '#contract/company.ts'
import { labelOf, PROJECT_CRITERIA, PROJECT_METHOD_TYPES, PROJECT_METHODS } from '#contract/project.ts'
import { binLabel, sizeLabel } from './discount-words.ts'

const PLAIN: Readonly<Record<string, string>> = {
  wins: 'งานที่ชนะ',
  bids: 'โครงการที่ยื่นและรู้ผล',
  lost: 'ยื่นแล้วไม่ชนะ',
  against_budget: 'ส่วนลดที่เทียบได้กับงบประมาณเท่านั้น',
  active: 'มีสัญญาที่ยังดำเนินอยู่',
  other_departments: 'หน่วยงานอื่นๆ',
}
const RESULTS: Readonly<Record<string, string>> = {
  we_won: 'บริษัทนี้ชนะ',
  they_won: 'คู่แข่งชนะ',
  others_won: 'รายอื่นชนะ',
}

const WORDS: Readonly<Record<string, (value: string, detail: CompanyDetail) => string>> = {
  year: (value) => (value === '0' ? 'ไม่ทราบปีงบประมาณ' : `ปีงบประมาณ ${value}`),
  department: (value) => value,
  method: (value) => `วิธี${labelOf(PROJECT_METHODS, value)}`,
  type: (value) => labelOf(PROJECT_METHOD_TYPES, value),
  criteria: (value) => labelOf(PROJECT_CRITERIA, value),
  province: (value) => (value === '' ? 'ไม่ทราบจังหวัด' : value),
  discount: (value) => `ส่วนลด ${binLabel(Number(value))}`,
  size: (value) => `ราคากลาง ${sizeLabel(value)}`,
  with: (value, { competitors }) => {
    const [id, result = ''] = value.split(':')
    const other = competitors.find(({ company }) => String(company.id) === id)
    return [`พบกับ ${other?.company.name ?? 'คู่แข่ง'}`, RESULTS[result]].filter(Boolean).join(' · ')
  },
}

/** The figure whose projects are shown, in words; what nobody knows stays as it stands in the address. */
export function rowsText(rows: string, detail: CompanyDetail): string {
  const plain = Object.hasOwn(PLAIN, rows) ? PLAIN[rows] : undefined
  if (plain !== undefined) return plain
  const at = rows.indexOf(':')
  const kind = rows.slice(0, Math.max(at, 0))
  return Object.hasOwn(WORDS, kind) ? WORDS[kind]!(rows.slice(at + 1), detail) : rows
}
