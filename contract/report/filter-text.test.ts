import { expect, test } from 'vitest'
import { provincesOf } from '../thai/province.ts'
import { dateRangeText, filterParamText } from './filter-text.ts'
import { NO_LABEL, type ReportParamName, type ReportSearch } from './report-params.ts'

const LABELS = [{ id: 'cctv-1', name: 'กล้องวงจรปิด', color: 'sky' }]
const said = (name: ReportParamName, search: ReportSearch) => {
  const words = filterParamText(name, search, LABELS)
  return words && `${words.label}|${words.negated ? 'ไม่ใช่ ' : ''}${words.value}`
}

test('values of closed lists are said in Thai, "is not" is kept', () => {
  expect(
    said('project_status__in', {
      project_status__in: { values: ['in_progress', 'project_cancelled'], negated: false },
    }),
  ).toBe('สถานะโครงการ|ระหว่างดำเนินการ, ยกเลิกโครงการ')
  expect(said('project_status__in', { project_status__in: { values: ['project_cancelled'], negated: true } })).toBe(
    'สถานะโครงการ|ไม่ใช่ ยกเลิกโครงการ',
  )
})

test('a value that no catalogue knows is shown as received', () => {
  expect(said('project_method__in', { project_method__in: { values: ['วิธีใหม่'], negated: false } })).toBe('วิธีจัดหา|วิธีใหม่')
})

test('all provinces of a region are said as the region, long lists are counted', () => {
  const values = [...provincesOf('east'), 'เชียงใหม่']
  expect(said('project_province__in', { project_province__in: { values, negated: false } })).toBe(
    'จังหวัดของโครงการ|ภาคตะวันออก, เชียงใหม่',
  )
  const many = ['เชียงใหม่', 'ลำพูน', 'ลำปาง', 'น่าน', 'แพร่']
  expect(said('project_province__in', { project_province__in: { values: many, negated: false } })).toBe(
    'จังหวัดของโครงการ|เชียงใหม่, ลำพูน และอีก 3',
  )
})

test('labels go by their name, a foreign label is said to be foreign', () => {
  const values = ['cctv-1', NO_LABEL, 'someone-elses']
  expect(said('project_label__in', { project_label__in: { values, negated: false } })).toBe(
    'ป้ายกำกับ|กล้องวงจรปิด, ไม่มีป้าย, ป้ายที่คุณไม่มี',
  )
})

test('money and flags are said in few words', () => {
  expect(said('project_budget__range', { project_budget__range: { min: 1_000_000, max: 50_000_000 } })).toBe(
    'งบประมาณ|1–50 ล้าน',
  )
  expect(said('project_bookmark', { project_bookmark: true })).toBe('|ติดดาว')
})

test.each([
  ['@0', '@7', 'ภายใน 7 วัน'],
  ['2026-10-01', '2027-09-30', 'ปีงบประมาณ 2570'],
  ['2026-11-01', '2026-11-21', '1 พ.ย. 2569 – 21 พ.ย. 2569'],
  ['2026-11-01', null, 'ตั้งแต่ 1 พ.ย. 2569'],
  [null, '@10', 'ไม่เกินอีก 10 วัน'],
  ['@-2', '@0', '2 วันก่อน – วันนี้'],
] as const)('the days from %s to %s are said as %s', (from, to, text) => {
  expect(dateRangeText({ from, to })).toBe(text)
})

test('a filter that is not set has no words', () => {
  expect(filterParamText('check_sme', {}, LABELS)).toBeUndefined()
})

test('days until a contract ends are said with the tabs that they look into', () => {
  expect(said('ends_within', { ends_within: 90 })).toBe('สัญญาสิ้นสุด|ใน 90 วัน ทั้งสองแท็บ')
  expect(said('ends_within', { ends_within: 90, is_archived: true })).toBe('สัญญาสิ้นสุด|ใน 90 วัน')
})
