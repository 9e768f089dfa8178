import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { DataIssuesButton } from './data-issues-button.tsx'

const DOUBTS = [
  { kind: 'amount_is_id', field: 'วงเงินสัญญา', value: '0105551090549' },
  { kind: 'date_repaired', field: 'วันที่ประกาศ', value: '7/2/1968 → 2025-02-07' },
] as const

test('names the kinds of doubt and shows a sentence for each when pressed', async () => {
  render(<DataIssuesButton doubts={DOUBTS} />)
  const button = screen.getByRole('button', { name: 'ข้อสังเกตของข้อมูล: จำนวนเงินเป็นเลขประจำตัว · วันที่ซ่อมแล้ว' })
  await userEvent.click(button)
  const panel = await screen.findByRole('dialog', { name: 'ข้อสังเกตของข้อมูล' })
  expect(panel).toHaveTextContent('วงเงินสัญญา: ต้นทางเขียนว่า "0105551090549" เป็นเลขนิติบุคคลหรือเลขโครงการ')
  expect(panel.querySelectorAll('li')).toHaveLength(2)
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(button).toHaveFocus())
})

test.each([[undefined], [[]]])('renders nothing for doubts %j', (doubts) => {
  const { container } = render(<DataIssuesButton doubts={doubts} />)
  expect(container).toBeEmptyDOMElement()
})
