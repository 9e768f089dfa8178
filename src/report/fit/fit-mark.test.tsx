import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { ProjectFit } from '#contract/matching/fit.ts'
import { FitLine, FitMark } from './fit-mark.tsx'

const FIT: ProjectFit = {
  score: 87,
  reasons: [
    { kind: 'words', words: ['กล้องวงจรปิด', 'ติดตั้ง'] },
    { kind: 'agency', agency: 'กรมชลประทาน', counts: { won: 3, bid: 1, starred: 0 } },
    { kind: 'budget' },
  ],
}

test('shows the number, and its reasons on hover and press', async () => {
  render(<FitMark row={{ fit: FIT }} />)
  const mark = screen.getByRole('button', { name: /^เหมาะกับเรา 87 จาก 100: ชื่อใกล้คำ “กล้องวงจรปิด” “ติดตั้ง”/ })
  expect(mark).toHaveTextContent('87')
  expect(mark).toHaveAttribute('title', expect.stringContaining('เคยชนะที่ กรมชลประทาน 3 งาน'))
  await userEvent.click(mark)
  expect(screen.getByRole('dialog', { name: 'เหมาะกับเรา' })).toHaveTextContent('งบอยู่ในช่วงที่คุณยื่น')
})

test('has all reasons in one line', () => {
  const { container } = render(<FitLine row={{ fit: FIT }} />)
  expect(container).toHaveTextContent(
    'เหมาะกับเรา 87 · ชื่อใกล้คำ “กล้องวงจรปิด” “ติดตั้ง” · เคยชนะที่ กรมชลประทาน 3 งาน · งบอยู่ในช่วงที่คุณยื่น',
  )
})

test('says so when nothing speaks for the project, and shows nothing without a score', () => {
  const { container, rerender } = render(<FitLine row={{ fit: { score: 2, reasons: [] } }} />)
  expect(container).toHaveTextContent('ยังไม่คล้ายงานที่คุณชนะ')
  rerender(<FitLine row={{}} />)
  expect(container).toBeEmptyDOMElement()
})
