import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import type { DocumentComparison } from '#contract/documents/document-comparison.ts'
import { DocumentComparisonPane } from './document-comparison-pane.tsx'
import type { DocumentComparisonState } from './use-document-comparison.ts'

const SIDE = { name: 'a.pdf', kind: 'tor', added_at: '2026-11-20T00:00:00Z' } as const
const DATA: DocumentComparison = {
  before: { id: 'draft', ...SIDE },
  after: { id: 'final', ...SIDE },
  outcome: 'compared',
  clauses: 40,
  facts: [
    {
      fact: 'penalty',
      before: { value: { kind: 'percent', percent: 0.1 }, page: 3, sentence: 'ร้อยละ 0.10' },
      after: { value: { kind: 'percent', percent: 0.2 }, page: 4, sentence: 'ร้อยละ 0.20' },
    },
  ],
  differences: [
    {
      kind: 'changed',
      number: '4.10',
      section: 'คุณสมบัติ',
      topic: 'qualification',
      direction: 'more',
      pieces: [
        { kind: 'same', text: 'อย่างน้อย ' },
        { kind: 'gone', text: '3' },
        { kind: 'new', text: '6' },
        { kind: 'same', text: ' เดือน' },
      ],
      after: { page: 5, sentence: 'อย่างน้อย 6 เดือน' },
    },
    {
      kind: 'gone',
      number: '4.3',
      section: '',
      topic: 'other',
      pieces: [{ kind: 'gone', text: 'ไม่อยู่ระหว่างเลิกกิจการ' }],
    },
  ],
  total: 2,
}

const show = (query: Partial<DocumentComparisonState['query']>, over: Partial<DocumentComparisonState> = {}) => {
  const open = vi.fn()
  const comparison: DocumentComparisonState = {
    otherDocuments: undefined,
    before: undefined,
    query: { data: undefined, error: null, isFetching: false, refetch: vi.fn(), ...query },
    current: undefined,
    open,
    ...over,
  }
  render(<DocumentComparisonPane comparison={comparison} onChoose={vi.fn()} />)
  return open
}

test('lists facts before clauses with old and new values in words; a page button opens its passage', async () => {
  const open = show({ data: DATA })
  const rows = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
  const expectedWords = [
    ['ค่าปรับต่อวัน', '0.1%', '0.2%'],
    ['ข้อ 4.10', 'กระทบคุณสมบัติ', 'เพิ่มขึ้น', 'เดิม 3', 'ใหม่ 6'],
    ['ข้อ 4.3', 'ตัดออก'],
  ]
  for (const [at, words] of expectedWords.entries()) for (const word of words) expect(rows[at]).toContain(word)
  await userEvent.click(screen.getByRole('button', { name: 'ข้อ 4.10 หน้า 5' }))
  expect(open).toHaveBeenCalledWith(1)
  expect(screen.queryByRole('button', { name: /ข้อ 4.3/ })).not.toBeInTheDocument()
})

test('distinguishes no differences, too many differences and no other version', () => {
  show({ data: { ...DATA, facts: [], differences: [], total: 0 } })
  expect(screen.getByText(/ไม่พบข้อที่ต่างกัน จาก 40 ข้อ/)).toBeInTheDocument()
  show({ data: { ...DATA, outcome: 'different', facts: [], differences: [], total: 0 } })
  expect(screen.getByText(/ต่างกันมากเกินกว่าจะเทียบรายข้อ/)).toBeInTheDocument()
  show({}, { otherDocuments: [] })
  expect(screen.getByText(/ยังไม่มีฉบับอื่น/)).toBeInTheDocument()
})

test('reports a failure and offers a retry', async () => {
  const refetch = vi.fn()
  show({ error: new Error('x'), refetch })
  await userEvent.click(screen.getByRole('button', { name: /ลองอีกครั้ง|ลองใหม่/ }))
  expect(refetch).toHaveBeenCalled()
})
