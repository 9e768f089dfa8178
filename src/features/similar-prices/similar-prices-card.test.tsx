import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { SimilarPrices } from '#contract/project/project-detail.ts'
import { startNetwork, stopNetwork } from '#src/api/http/network-for-tests.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { SimilarPricesCard } from './similar-prices-card.tsx'
import { readSavedTarget, saveTarget } from './target-store.ts'

const PRICES: SimilarPrices = {
  scope: 'หน่วยงานเดียวกัน วิธี e-bidding',
  n: 10,
  without_reference: 3,
  median: 0.06,
  p25: 0.03,
  p75: 0.09,
  weighted: 0.055,
  bins: [
    { from: 0, count: 2 },
    { from: 0.025, count: 2 },
    { from: 0.05, count: 3 },
    { from: 0.075, count: 3 },
  ],
  discounts: [0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.09, 0.1],
  winners: [{ name: 'บริษัท ก จำกัด', wins: 4, median: 0.05 }],
  from_date: '2025-11-01',
  to_date: '2026-11-18',
}
/** The first drawing of a file takes seconds on a busy machine. */
const PATIENT = { timeout: 10_000 }
const PATH = 'projects/69119000001/similar-prices'

let show: (entries: { isIntersecting: boolean }[]) => void
beforeEach(() => {
  localStorage.clear()
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(tell: typeof show) {
        show = tell
      }
      observe() {}
      disconnect() {}
    },
  )
})
afterEach(stopNetwork)

function setUp(reference: number | null = 10_000_000) {
  const network = startNetwork()
  const view = render(
    <QueryClientProvider client={queryClient}>
      <SimilarPricesCard projectId="69119000001" referencePrice={reference} />
    </QueryClientProvider>,
  )
  const calls = () => network.to(PATH)
  const scroll = async () => {
    act(() => show([{ isIntersecting: true }]))
    await vi.waitFor(() => expect(calls()).toHaveLength(1), PATIENT)
  }
  const answered = async (prices: Partial<SimilarPrices> = {}) => {
    await scroll()
    calls()[0]!.answer({ ...PRICES, ...prices })
    await screen.findByText(/เทียบกับ/, {}, PATIENT)
  }
  return { calls, scroll, answered, view }
}
const field = () => screen.getByRole('textbox', { name: 'ราคาเป้าหมายของคุณ' })
const spoken = () => within(screen.getByRole('region', { name: 'ราคาเป้าหมายของคุณ' })).getByRole('status')

describe('the card', () => {
  test('asks nothing until it comes into view, and waits in its own shape', async () => {
    const { calls, scroll } = setUp()
    expect(calls()).toEqual([])
    await scroll()
    expect(screen.getByRole('status')).toHaveTextContent('กำลังโหลดราคางานคล้ายกัน')
  })

  test('prints what was compared, n, the middle, the quarters and the weighted discount', async () => {
    const { answered } = setUp()
    await answered()
    expect(screen.getByText(/เทียบกับ/)).toHaveTextContent(
      'เทียบกับหน่วยงานเดียวกัน วิธี e-bidding · 10 งานที่รู้ผล · ไม่นับอีก 3 งานที่ไม่มีราคากลาง',
    )
    const facts = [...document.querySelectorAll('dd')].map((fact) => fact.textContent)
    expect(facts).toEqual(['3.0% – 9.0%', '5.5%', '10', '1 พ.ย. 2568 – 18 พ.ย. 2569'])
    expect(screen.getByText('6.0%')).toBeInTheDocument()
    expect(screen.getByRole('listitem')).toHaveTextContent('บริษัท ก จำกัดมัธยฐาน 5.0%4 งาน')
  })

  test('of too few says so, and shows neither distribution nor percentile', async () => {
    const { answered } = setUp()
    await answered({ n: 4, discounts: [0.1, 0.2, 0.3, 0.4] })
    expect(screen.getByText(/มีเพียง 4 งาน/)).toBeInTheDocument()
    expect(screen.queryByRole('tablist')).toBeNull()
    await userEvent.type(field(), '9 ล้าน')
    expect(spoken()).toHaveTextContent('9,000,000.00 บาท ต่ำกว่าราคากลาง 10.0%')
    expect(spoken()).not.toHaveTextContent('เปอร์เซ็นไทล์')
  })

  test('of none says that there is none', async () => {
    const { answered } = setUp()
    await answered({ n: 0, median: null, p25: null, p75: null, weighted: null, bins: [], discounts: [], winners: [] })
    expect(screen.getByText('ยังไม่มีงานคล้ายกันที่ประกาศผลและมีราคากลาง')).toBeInTheDocument()
  })

  test('that could not be loaded is asked for again on a press', async () => {
    const { calls, scroll } = setUp()
    await scroll()
    calls()[0]!.answer({ non_field_errors: ['ทำรายการถี่เกินไป'] }, 429)
    expect(await screen.findByRole('alert', {}, PATIENT)).toHaveTextContent('ทำรายการถี่เกินไป')
    await userEvent.click(screen.getByRole('button', { name: 'ลองใหม่' }))
    await vi.waitFor(() => expect(calls()).toHaveLength(2), PATIENT)
    calls()[1]!.answer(PRICES)
    await screen.findByText(/เทียบกับ/, {}, PATIENT)
  })
})

describe('the chart', () => {
  const bar = () => document.activeElement?.getAttribute('aria-label')

  test('is one stop for Tab, the middle bar, and arrows read the others', async () => {
    const { answered } = setUp()
    await answered()
    await userEvent.click(screen.getByRole('tab', { name: 'กราฟ' }))
    await userEvent.tab()
    expect(bar()).toBe('ส่วนลด 5 ถึง 7.5%: 3 งาน (30.0%)')
    await userEvent.keyboard('{ArrowLeft}')
    expect(bar()).toBe('ส่วนลด 2.5 ถึง 5%: 2 งาน (20.0%)')
    await userEvent.keyboard('{Home}{ArrowLeft}')
    expect(bar()).toBe('ส่วนลด ต่ำกว่า 2.5%: 2 งาน (20.0%)')
    await userEvent.keyboard('{End}{ArrowRight}')
    expect(bar()).toBe('ส่วนลด ตั้งแต่ 7.5%: 3 งาน (30.0%)')
    await userEvent.tab()
    expect(document.activeElement).toBe(field())
  })

  test('has a table with the same figures', async () => {
    const { answered } = setUp()
    await answered()
    await userEvent.click(screen.getByRole('tab', { name: 'ตาราง' }))
    const rows = within(screen.getByRole('table')).getAllByRole('row').slice(1)
    expect(rows.map((row) => row.textContent)).toEqual([
      'ต่ำกว่า 2.5%220.0%',
      '2.5 ถึง 5%220.0%',
      '5 ถึง 7.5%330.0%',
      'ตั้งแต่ 7.5%330.0%',
    ])
  })
})

describe('the target price', () => {
  test('shows its discount and where it stands among the winners, and never a chance', async () => {
    const { answered } = setUp()
    await answered()
    await userEvent.type(field(), '9.3 ล้าน')
    expect(spoken()).toHaveTextContent(
      '9,300,000.00 บาท ต่ำกว่าราคากลาง 7.0% · ลดมากกว่าผู้ชนะราว 65 ใน 100 งาน (เปอร์เซ็นไทล์ 65 จาก 10 งาน)',
    )
    expect(document.body.textContent).not.toContain('โอกาส')
    expect(screen.getByText(/เส้นประ = ราคาเป้าหมายของคุณ/)).toBeInTheDocument()
  })

  test('that cannot be read says why', async () => {
    const { answered } = setUp()
    await answered()
    await userEvent.type(field(), '12')
    expect(field()).toBeInvalid()
    expect(field()).toHaveAccessibleDescription(/ใส่ % ต่อท้าย/)
  })

  test('without a reference price is not compared', async () => {
    const { answered } = setUp(null)
    await answered()
    await userEvent.type(field(), '5 ล้าน')
    expect(spoken()).toHaveTextContent('โครงการนี้ไม่มีราคากลาง')
  })

  test('is there again tomorrow, for this project and this user alone', async () => {
    const { answered, view } = setUp()
    await answered()
    await userEvent.type(field(), '12%')
    view.unmount()
    expect(readSavedTarget('69119000001')).toBe('12%')
    expect(readSavedTarget('69119000002')).toBe('')
    saveTarget('69119000001', '')
    expect(localStorage).toHaveLength(0)
  })

  test('what somebody else has written into the storage is no harm', () => {
    localStorage.setItem('tamngan.target-prices.nobody', '{"a":1}')
    expect(readSavedTarget('69119000001')).toBe('')
    localStorage.setItem('tamngan.target-prices.nobody', '[["69119000001",5],["69119000001","7%"]]')
    expect(readSavedTarget('69119000001')).toBe('7%')
  })
})
