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

test('goes to a typed page, to the last one for a larger number, and nowhere for other text', () => {
  const change = setUp(2)
  const field = screen.getByRole('textbox', { name: /^หน้า.*จาก 13$/ })
  fireEvent.change(field, { target: { value: 'สอง' } })
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(field).toHaveValue('2')
  expect(change).not.toHaveBeenCalled()
  fireEvent.change(field, { target: { value: '๑๒' } })
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(change).toHaveBeenLastCalledWith({ page: 12 })
  fireEvent.change(field, { target: { value: '99' } })
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(change).toHaveBeenLastCalledWith({ page: 13 })
})
