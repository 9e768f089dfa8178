import { expect, test } from 'vitest'
import { getProvincesInRegion } from '../thai/province.ts'
import { formatDateRange, formatFilterParam } from './filter-text.ts'
import { type ReportParamName, type ReportSearch, UNASSIGNED_FILTER_VALUE } from './report-params.ts'

const LABELS = [{ id: 'cctv-1', name: 'กล้องวงจรปิด', color: 'sky' }]
const formatFilter = (name: ReportParamName, search: ReportSearch) => {
  const words = formatFilterParam(name, search, LABELS)
  return words && `${words.label}|${words.negated ? 'ไม่ใช่ ' : ''}${words.value}`
}

test('shows values of closed lists in Thai and keeps "is not"', () => {
  expect(
    formatFilter('project_status__in', {
      project_status__in: { values: ['in_progress', 'project_cancelled'], negated: false },
    }),
  ).toBe('สถานะโครงการ|ระหว่างดำเนินการ, ยกเลิกโครงการ')
  expect(
    formatFilter('project_status__in', { project_status__in: { values: ['project_cancelled'], negated: true } }),
  ).toBe('สถานะโครงการ|ไม่ใช่ ยกเลิกโครงการ')
})

test('shows a value outside the catalogue as received', () => {
  expect(formatFilter('project_method__in', { project_method__in: { values: ['วิธีใหม่'], negated: false } })).toBe(
    'วิธีจัดหา|วิธีใหม่',
  )
})

test('shows all provinces of a region as the region, and counts long lists', () => {
  const values = [...getProvincesInRegion('east'), 'เชียงใหม่']
  expect(formatFilter('project_province__in', { project_province__in: { values, negated: false } })).toBe(
    'จังหวัดของโครงการ|ภาคตะวันออก, เชียงใหม่',
  )
  const many = ['เชียงใหม่', 'ลำพูน', 'ลำปาง', 'น่าน', 'แพร่']
  expect(formatFilter('project_province__in', { project_province__in: { values: many, negated: false } })).toBe(
    'จังหวัดของโครงการ|เชียงใหม่, ลำพูน และอีก 3',
  )
})

test('shows labels by name and marks unknown labels', () => {
  const values = ['cctv-1', UNASSIGNED_FILTER_VALUE, 'someone-elses']
  expect(formatFilter('project_label__in', { project_label__in: { values, negated: false } })).toBe(
    'ป้ายกำกับ|กล้องวงจรปิด, ไม่มีป้าย, ป้ายที่คุณไม่มี',
  )
})

test('shortens amounts and flags', () => {
  expect(formatFilter('project_budget__range', { project_budget__range: { min: 1_000_000, max: 50_000_000 } })).toBe(
    'งบประมาณ|1–50 ล้าน',
  )
  expect(formatFilter('project_bookmark', { project_bookmark: true })).toBe('|ติดดาว')
})

test.each([
  ['@0', '@7', 'ภายใน 7 วัน'],
  ['2026-10-01', '2027-09-30', 'ปีงบประมาณ 2570'],
  ['2026-11-01', '2026-11-21', '1 พ.ย. 2569 – 21 พ.ย. 2569'],
  ['2026-11-01', null, 'ตั้งแต่ 1 พ.ย. 2569'],
  [null, '@10', 'ไม่เกินอีก 10 วัน'],
  ['@-2', '@0', '2 วันก่อน – วันนี้'],
] as const)('the days from %s to %s read %s', (from, to, text) => {
  expect(formatDateRange({ from, to })).toBe(text)
})

test('an unset filter has no text', () => {
  expect(formatFilterParam('check_sme', {}, LABELS)).toBeUndefined()
})

test('days until a contract ends name the scopes they search', () => {
  expect(formatFilter('ends_within', { ends_within: 90 })).toBe('สัญญาสิ้นสุด|ใน 90 วัน ทั้งสองแท็บ')
  expect(formatFilter('ends_within', { ends_within: 90, is_archived: true })).toBe('สัญญาสิ้นสุด|ใน 90 วัน')
})
