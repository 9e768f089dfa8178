import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { userKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { buildTestUser } from '#src/report/api/user-api-for-tests.ts'
import { reportPage } from '../../../../test/report-page.ts'
import { reportRow } from '../../../../test/report-row.ts'
import { ReportPrintSheet } from './report-print-sheet.tsx'

const NAME = `ซื้อกล้องโทรทัศน์วงจรปิด ${'พร้อมติดตั้ง '.repeat(20)}จำนวน 64 จุด`

test('prints whole names, winner, discount and filters in words, without any buttons', () => {
  const rows = [
    reportRow({ name: NAME, winner_name: 'บริษัท ตัวอย่าง จำกัด', winner_count: 1, winner_budget: 8_550_000 }),
    reportRow({ project_id: '69119000002', winner_name: null, winner_budget: null }),
  ]
  queryClient.setQueryData(userKeys.me, buildTestUser())
  const page = reportPage({ total_project: 52, page: 2, results: rows, data_time: '2026-11-22T02:00:00Z' })
  render(
    <QueryClientProvider client={queryClient}>
      <ReportPrintSheet
        page={page}
        rows={rows}
        search={{ project_province__in: { values: ['นนทบุรี'], negated: true } }}
      />
    </QueryClientProvider>,
  )
  expect(screen.queryByRole('table')).toBeNull()

  act(() => void window.dispatchEvent(new Event('beforeprint')))
  expect(screen.getByText(/^ตัวกรอง:/)).toHaveTextContent('ตัวกรอง: จังหวัดของโครงการ ไม่ใช่ นนทบุรี')
  expect(screen.getByText(/แผ่นนี้มีลำดับ 51–52/)).toHaveTextContent('52 โครงการ')
  expect(screen.getByText(/^ที่มา/)).toHaveTextContent('ข้อมูล ณ 22 พ.ย. 2569 09:00 น.')
  const [, first, second] = screen.getAllByRole('row')
  expect(within(first!).getByText(new RegExp(NAME))).toBeInTheDocument()
  expect(first).toHaveTextContent('บริษัท ตัวอย่าง จำกัด')
  expect(first).toHaveTextContent('8,550,000.00ต่ำกว่า 10.0%')
  expect(within(second!).getAllByText('–')).toHaveLength(2)
  expect(screen.queryAllByRole('button')).toEqual([])

  act(() => void window.dispatchEvent(new Event('afterprint')))
  expect(screen.queryByRole('table')).toBeNull()
})
