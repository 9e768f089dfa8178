import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { ReportPager } from './report-pager.tsx'

function setUp(page: number) {
  const change = vi.fn()
  render(<ReportPager page={page} pageSize={50} total={639} change={change} />)
  return change
}

test('shows the range of the rows', () => {
  setUp(13)
  expect(screen.getByText(/^601–639 จาก/)).toHaveTextContent('601–639 จาก 639')
})

test('reports a page past the end, and leads back to the last page', () => {
  const change = setUp(999)
  expect(screen.getByText(/^ไม่มีหน้า/)).toHaveTextContent('ไม่มีหน้า 999 จากทั้งหมด 639')
  expect(screen.queryByText(/–/)).toBeNull()
  expect(screen.getByText('มี 13 หน้า')).toBeInTheDocument()
  fireEvent.click(screen.getByRole('button', { name: 'ก่อนหน้า' }))
  expect(change).toHaveBeenCalledExactlyOnceWith({ page: 13 })
  expect(screen.getByRole('button', { name: 'ถัดไป' })).toBeDisabled()
})
