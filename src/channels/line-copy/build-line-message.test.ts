import { expect, test } from 'vitest'
import type { ReportRow } from '#contract/report/report.ts'
import { parseReportSearch } from '#contract/report/report-params.ts'
import { parseQueryString } from '#src/lib/flat-search-params.ts'
import { reportRow } from '../../../test/report-row.ts'
import { buildLineMessage, buildProjectsUrl, formatProjectForLineChat } from './build-line-message.ts'

const TODAY = '2026-11-21'
const ROW = reportRow({
  project_id: '69119271820',
  name: 'ซื้อพร้อมติดตั้งระบบกล้องโทรทัศน์วงจรปิด (CCTV)\nภายในอาคาร',
  dept_name: 'กรุงเทพมหานคร',
  dept_sub_name: 'สำนักงานเขตจตุจักร',
  dept_province: 'กรุงเทพมหานคร',
  project_province: 'กรุงเทพมหานคร',
  budget: 12_500_000,
  estimate_budget: 12_431_900,
})

test('lists a project’s facts in the order that matters to a bidder', () => {
  expect(formatProjectForLineChat(ROW, TODAY)).toBe(
    [
      'ซื้อพร้อมติดตั้งระบบกล้องโทรทัศน์วงจรปิด (CCTV) ภายในอาคาร',
      'เลขที่โครงการ 69119271820',
      'สำนักงานเขตจตุจักร กรุงเทพมหานคร · กรุงเทพมหานคร',
      'งบประมาณ: 12,500,000.00 บาท',
      'ราคากลาง: 12,431,900.00 บาท (ต่ำกว่างบ 0.5%)',
      'ยื่นข้อเสนอถึง: 28 พ.ย. 2569 09:00-12:00 น. (เหลือ 7 วัน)',
      'วิธีจัดหา: e-bidding · เกณฑ์ราคา',
      'ความเคลื่อนไหว: ประกาศเชิญชวน',
    ].join('\n'),
  )
})

test('names an amount that the import left out as doubtful', () => {
  const doubts = [
    { kind: 'amount_too_low', field: 'ราคากลาง', value: '8,700' },
    { kind: 'amount_is_id', field: 'งบประมาณ', value: '0105546135262' },
  ] as const
  const text = formatProjectForLineChat({ ...ROW, budget: null, estimate_budget: null, doubts: [...doubts] }, TODAY)
  expect(text).toContain('งบประมาณ: น่าสงสัย\nราคากลาง: น่าสงสัย\n')
})

test('omits unknown facts instead of showing zero', () => {
  const bare: ReportRow = {
    ...ROW,
    dept_name: '',
    dept_province: null,
    project_province: 'นนทบุรี',
    budget: null,
    estimate_budget: null,
    criteria: 'no_data',
    submission_end_date: null,
    submission_time: null,
  }
  expect(formatProjectForLineChat(bare, TODAY)).toBe(
    [
      'ซื้อพร้อมติดตั้งระบบกล้องโทรทัศน์วงจรปิด (CCTV) ภายในอาคาร',
      'เลขที่โครงการ 69119271820',
      'สำนักงานเขตจตุจักร · จ.นนทบุรี',
      'วิธีจัดหา: e-bidding',
      'ความเคลื่อนไหว: ประกาศเชิญชวน',
    ].join('\n'),
  )
})

test.each([
  ['2026-11-20', 'ปิดรับแล้ว'],
  ['2026-11-21', 'วันนี้วันสุดท้าย'],
  ['2026-11-22', 'เหลือ 1 วัน'],
])('a submission ending on %s reads %s', (submission_end_date, words) => {
  expect(formatProjectForLineChat({ ...ROW, submission_end_date }, TODAY)).toContain(`(${words})`)
})

test('shows the comment period only while it runs', () => {
  const draft = { ...ROW, draft_discussion_end_date: '2026-11-24' }
  expect(formatProjectForLineChat(draft, TODAY)).toContain('วิจารณ์ร่างถึง: 24 พ.ย. 2569 (เหลือ 3 วัน)')
  expect(formatProjectForLineChat(draft, '2026-11-25')).not.toContain('วิจารณ์ร่าง')
})

test('a decided project shows winner and price, and no days left', () => {
  const text = formatProjectForLineChat(
    { ...ROW, status: 'contract_created', winner_name: 'บริษัท ก จำกัด', winner_count: 3, winner_budget: 11_900_000 },
    TODAY,
  )
  expect(text).toContain('ผู้ชนะ: บริษัท ก จำกัด และอีก 2 ราย\nราคาที่ชนะ: 11,900,000.00 บาท')
  expect(text).toContain('สถานะ: จัดทำสัญญา/PO แล้ว')
  expect(text).not.toContain('เหลือ')
})

const searchOf = (address: string) => parseReportSearch(parseQueryString(new URL(address).search)).search

test('links one project to its page, and several to the report in their tab', () => {
  expect(buildProjectsUrl([ROW], 'https://t.example')).toBe('https://t.example/report/69119271820')
  const both = [ROW, { ...ROW, project_id: '69119000002' }].map((row) => ({ ...row, is_archived: true }))
  expect(searchOf(buildProjectsUrl(both, 'https://t.example'))).toEqual({
    project_id__in: ['69119271820', '69119000002'],
    is_archived: true,
  })
})

test('numbers and separates several projects, and adds one link', () => {
  const rows = [ROW, { ...ROW, project_id: '69119000002', name: 'งานที่สอง' }]
  const message = buildLineMessage(rows, { origin: 'https://t.example', today: TODAY })
  expect(message).toMatch(/^1\. ซื้อพร้อมติดตั้ง[\s\S]+\n──────────\n2\. งานที่สอง\n/)
  expect(message.match(/https:/g)).toHaveLength(1)
  expect(searchOf(message.slice(message.indexOf('https:')))).toEqual({ project_id__in: ['69119271820', '69119000002'] })
})
