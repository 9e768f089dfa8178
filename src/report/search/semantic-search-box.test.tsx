import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import type { SemanticSearchSummary } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { ReportSearchRow } from './search-row.tsx'

async function setUp(search: ReportSearch = {}, deep: SemanticSearchSummary | null = null) {
  const change = vi.fn()
  render(
    <ReportSearchRow
      onOpenProject={() => undefined}
      name="ai_deep_search__in"
      onFieldChange={() => undefined}
      search={search}
      change={change}
      total={37}
      deep={deep}
    />,
  )
  return {
    change,
    box: await screen.findByLabelText('ค้นตามความหมาย', {}, { timeout: 15_000 }),
    user: userEvent.setup(),
  }
}

test('treats several phrases as alternatives, and refuses a single letter', async () => {
  const { box, change, user } = await setUp()
  await user.type(box, 'ก{Enter}')
  expect(screen.getByRole('status')).toHaveTextContent('อย่างน้อย 2 ตัวอักษร')
  await user.clear(box)
  await user.type(box, 'กล้องวงจรปิด||ปรับปรุงถนน{Enter}')
  expect(change).toHaveBeenCalledExactlyOnceWith({ ai_deep_search__in: ['กล้องวงจรปิด', 'ปรับปรุงถนน'] }, 'push')
})

test('refuses a sixth phrase or more than 100 letters with the limit, and keeps the text', async () => {
  const { box, change, user } = await setUp({ ai_deep_search__in: ['ก1', 'ก2', 'ก3', 'ก4', 'ก5'] })
  await user.click(box)
  await user.paste('กล้อง')
  await user.keyboard('{Enter}')
  expect(screen.getByRole('status')).toHaveTextContent('ไม่เกิน 5 ข้อความ')
  expect(box).toHaveValue('กล้อง')
  expect(change).not.toHaveBeenCalled()
})

test('shows related words and the engine, and that an unknown word matches only literally', async () => {
  await setUp(
    { ai_deep_search__in: ['กล้องวงจรปิด', 'กขคฆ'] },
    {
      engine: 'ในตัว',
      sentences: [
        { sentence: 'กล้องวงจรปิด', known: true, terms: ['กล้องวงจรปิด', 'cctv', 'กล้องโทรทัศน์'] },
        { sentence: 'กขคฆ', known: false, terms: ['กขคฆ'] },
      ],
    },
  )
  expect(screen.getByText(/พบ 37 โครงการ/)).toHaveTextContent('กล้องวงจรปิด หรือ กขคฆ')
  expect(screen.getByText(/รวมคำใกล้เคียง/)).toHaveTextContent('cctv, กล้องโทรทัศน์')
  expect(screen.getByText(/ยังไม่รู้จัก/)).toHaveTextContent('‘กขคฆ’')
  expect(screen.getByText('ในตัว')).toBeInTheDocument()
})

test('removes a phrase by its chip', async () => {
  const { change, user } = await setUp({ ai_deep_search__in: ['กล้อง', 'ถนน'] })
  await user.click(screen.getByRole('button', { name: 'เอาคำว่า กล้อง ออก' }))
  expect(change).toHaveBeenCalledExactlyOnceWith({ ai_deep_search__in: ['ถนน'] }, 'push')
})

test('sets the similarity by pointer or key, announces it, and sends one request on rest', async () => {
  const { change } = await setUp({ ai_deep_search__in: ['กล้อง'], ai_deep_from: 55 })
  const slider = screen.getByRole('slider', { name: 'ความใกล้เคียงอย่างน้อย' })
  expect(slider).toHaveAttribute('aria-valuetext', '55% ขึ้นไป (ใกล้เคียง)')
  fireEvent.change(slider, { target: { value: '60' } })
  fireEvent.change(slider, { target: { value: '80' } })
  expect(slider).toHaveAttribute('aria-valuetext', '80% ขึ้นไป (ใกล้เคียงมาก)')
  expect(change).not.toHaveBeenCalled()
  await waitFor(() => expect(change).toHaveBeenCalledExactlyOnceWith({ ai_deep_from: 80, page: undefined }, 'replace'))
  change.mockClear()
  fireEvent.change(slider, { target: { value: '0' } })
  expect(slider).toHaveAttribute('aria-valuetext', 'ทั้งหมด')
  await waitFor(() =>
    expect(change).toHaveBeenCalledExactlyOnceWith({ ai_deep_from: undefined, page: undefined }, 'replace'),
  )
})
