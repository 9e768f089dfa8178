import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import type { ReportPage } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { reportPage } from '../../../../test/report-page.ts'
import { renderInRouter } from '../render-in-router-for-tests.tsx'
import { ReportEmpty } from './report-empty.tsx'

const NOTHING = reportPage({
  data_time: '2026-11-21T02:12:00Z',
  report_window: { start: '2025-10-01', end: '2027-09-30' },
})

async function setUp(page: Partial<ReportPage>, search: ReportSearch = {}) {
  const told = { onRemove: vi.fn(), onClear: vi.fn(), onLastPage: vi.fn() }
  await renderInRouter(<ReportEmpty page={{ ...NOTHING, ...page }} search={search} labels={[]} {...told} />)
  return told
}

test('without rules the report says that there are none', async () => {
  await setUp({ rules: { has_rules: false, last_match_date: null } })
  expect(screen.getByText('ยังไม่ได้ตั้งคำเฝ้าติดตาม')).toBeInTheDocument()
})

test('with rules that matched nothing it says the window and the last match', async () => {
  await setUp({ rules: { has_rules: true, last_match_date: '2025-09-12' } })
  expect(screen.getByText(/1 ต.ค. 2568 – 30 ก.ย. 2570/)).toHaveTextContent('12 ก.ย. 2568')
})

test('filters that leave nothing name the one whose removal brings most back', async () => {
  const { onRemove } = await setUp(
    { counts: { ...NOTHING.counts, all: 658 }, filter_to_relax: { parameter: 'project_budget__range', total: 340 } },
    { project_budget__range: { min: 1, max: 2 }, project_status__in: { values: ['in_progress'], negated: false } },
  )
  await userEvent.click(screen.getByRole('button', { name: 'เอางบประมาณออก แล้วดู 340 โครงการ' }))
  expect(onRemove).toHaveBeenCalledExactlyOnceWith('project_budget__range')
})

test('a page past the end leads to the last one', async () => {
  const { onLastPage } = await setUp({ total_project: 120, page: 9, counts: { ...NOTHING.counts, all: 120 } })
  await userEvent.click(screen.getByRole('button', { name: 'ไปหน้าสุดท้าย (3)' }))
  expect(onLastPage).toHaveBeenCalledExactlyOnceWith(3)
})

test('an empty tab of delivered work is not an empty report', async () => {
  await setUp({}, { is_archived: true })
  expect(screen.getByText('ยังไม่มีโครงการที่ส่งมอบแล้ว')).toBeInTheDocument()
})

test.each<[ReportSearch, string]>([
  [{ project_bookmark: true }, 'ยังไม่มีโครงการที่ติดดาว'],
  [{ project_hidden: true }, 'ยังไม่ได้ซ่อนโครงการใด'],
  [{ project_label__in: { values: ['cctv'], negated: false } }, 'ยังไม่มีโครงการที่ติดป้ายนี้'],
])('marks that nothing bears say what will be here and lead on: %j', async (search, title) => {
  const { onClear } = await setUp({ counts: { ...NOTHING.counts, all: 658 } }, search)
  expect(screen.getByText(title)).toBeInTheDocument()
  expect(screen.getByText(/จะมาอยู่ที่นี่|ย้ายมาอยู่ที่นี่/)).toBeInTheDocument()
  await userEvent.click(screen.getByRole('button', { name: 'ดูโครงการทั้งหมด' }))
  expect(onClear).toHaveBeenCalledOnce()
})
