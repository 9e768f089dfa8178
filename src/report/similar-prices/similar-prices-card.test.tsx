import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { SimilarProject, SimilarProjectPrices } from '#contract/catalogue/similar-prices.ts'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { SimilarPricesCard } from './similar-prices-card.tsx'
import { loadSavedTargetPrice, saveTargetPrice } from './target-price-store.ts'

const REFERENCE = 1_000_000
const similar = (percent: number, more: Partial<SimilarProject> = {}): SimilarProject => ({
  project_id: `6801${percent}`,
  name: `ซื้อกล้องวงจรปิด ${percent}`,
  dept_name: 'กรมหนึ่ง',
  dept_sub_name: 'กองหนึ่ง',
  decided_date: '2026-03-01',
  estimate_budget: REFERENCE,
  winner_budget: REFERENCE - percent * 10_000,
  discount: percent / 100,
  winner_name: 'บริษัท ก จำกัด',
  bids: [],
  why: {
    words: ['กล้องวงจรปิด'],
    likeness: 0.8,
    buyer: 'agency',
    is_same_province: false,
    is_same_method: true,
    times: 2.5,
  },
  in_report: false,
  ...more,
})
const quartiles = { n: 10, p25: 0.03, median: 0.06, p75: 0.09 }
const PRICES: SimilarProjectPrices = {
  scope: 'งานซื้อที่ชื่อคล้ายกันของทุกหน่วยงาน',
  steps: [
    { step: 'agency', n: 3, text: 'หน่วยงานเดียวกัน' },
    { step: 'ministry', n: 5, text: 'ทั้งสังกัด กระทรวงหนึ่ง' },
    { step: 'all', n: 10, text: 'ทุกหน่วยงาน' },
    { step: 'years', n: 12, text: 'รวมปีก่อน 2567 ด้วย' },
  ],
  step: 'all',
  found: 10,
  without_reference: 3,
  without_clear_price: 1,
  above_reference: 2,
  amounts_in_doubt: 4,
  ...quartiles,
  weighted: 0.055,
  band: { low: 0.01, high: 0.083, n: 10, basis: 'similar' },
  no_band_reason: null,
  bins: [
    { from: 0, count: 2 },
    { from: 0.025, count: 2 },
    { from: 0.05, count: 3 },
    { from: 0.075, count: 3 },
  ],
  winners: [{ name: 'บริษัท ก จำกัด', wins: 4, median: null }],
  from_date: '2025-11-01',
  to_date: '2026-11-18',
  results: [1, 2, 3, 4, 5, 6, 7, 8, 9]
    .map((percent) => similar(percent))
    .concat(similar(10, { bids: [900_000, 910_000, 990_000], why: { ...similar(1).why, buyer: null, times: 1 } })),
  breakdown: {
    n: 12,
    bands: [{ from: 500_000, to: 5_000_000, ...quartiles }],
    agencies: [{ name: 'กรมหนึ่ง', is_own: true, n: 3, p25: null, median: null, p75: null }],
    years: [{ year: 2569, ...quartiles }],
  },
}
const PATIENT = { timeout: 10_000 }
const PATH = 'projects/69119000001/similar-prices'

let show: (entries: { isIntersecting: boolean }[]) => void
beforeEach(() => {
  localStorage.clear()
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(callback: typeof show) {
        show = callback
      }
      observe() {}
      disconnect() {}
    },
  )
})
afterEach(stopFakeNetwork)

function setUp(reference: number | null = 10_000_000) {
  const network = startFakeNetwork()
  const card = (ownPrice?: { baht: number }) => (
    <QueryClientProvider client={queryClient}>
      <SimilarPricesCard projectId="69119000001" referencePrice={reference} comparedPrice={ownPrice} />
    </QueryClientProvider>
  )
  const view = render(card())
  const setPrice = (baht: number) => view.rerender(card({ baht }))
  const calls = () => network.to(PATH)
  const scroll = async () => {
    act(() => show([{ isIntersecting: true }]))
    await vi.waitFor(() => expect(calls()).toHaveLength(1), PATIENT)
  }
  const answered = async (prices: Partial<SimilarProjectPrices> = {}) => {
    await scroll()
    calls()[0]!.answer({ ...PRICES, ...prices })
    await screen.findByText(/เทียบกับ/, {}, PATIENT)
  }
  return { calls, scroll, answered, view, bringPrice: setPrice }
}
const slider = () => screen.getByRole('slider', { name: 'ส่วนลดจากราคากลาง' })
const field = () => screen.getByRole('textbox', { name: 'ราคาเป้าหมายของคุณ' })
const spoken = () => within(screen.getByRole('region', { name: 'ราคาเป้าหมายของคุณ' })).getByRole('status')

describe('the card', () => {
  test('sends no request until it is visible, and shows a loading state', async () => {
    const { calls, scroll } = setUp()
    expect(calls()).toEqual([])
    await scroll()
    expect(screen.getByRole('status')).toHaveTextContent('กำลังโหลดราคางานคล้ายกัน')
  })

  test('shows scope, median, band in percent and baht, and what is excluded', async () => {
    const { answered } = setUp()
    await answered()
    expect(screen.getByText(/เทียบกับ/)).toHaveTextContent('เทียบกับงานซื้อที่ชื่อคล้ายกันของทุกหน่วยงาน · 10 งานที่รู้ผล')
    expect(screen.getByText(/^ไม่นับ/)).toHaveTextContent(
      'ไม่นับ ไม่มีราคากลาง 3 งาน · หลายผู้ชนะหรือราคาสัญญาไม่ตรงกับที่ประกาศ 1 งาน · งานที่ยกเลิก · นับงานที่ชนะสูงกว่าราคากลางด้วย 2 งาน · กิจการร่วมค้านับเป็นผู้ชนะรายเดียว · ไม่รวม 4 ราคาที่น่าสงสัย',
    )
    const facts = [...document.querySelectorAll('dd')].map((fact) => fact.textContent)
    expect(facts).toEqual(['5.5%', '10 งาน', '1 พ.ย. 2568 – 18 พ.ย. 2569'])
    expect(screen.getByText(/^8 ใน 10/)).toHaveTextContent('8 ใน 10 งานคล้ายกันชนะที่ส่วนลด 1.0% – 8.3% จาก 10 งาน')
    expect(screen.getByText(/^คิดกับราคากลาง/)).toHaveTextContent('คิดกับราคากลางของโครงการนี้ 9.17 ล้าน – 9.90 ล้าน บาท')
    expect(screen.getByText('ช่วงของ 8 ใน 10 งาน')).toBeInTheDocument()
    expect(screen.getByTestId('chart-band')).toHaveAttribute('x', '10%')
    expect(screen.getByTestId('chart-band')).toHaveAttribute('width', '73%')
  })

  test('marks a band from other work of the agency, and draws it on no chart of similar projects', async () => {
    const { answered } = setUp(null)
    await answered({ band: { low: 0.002, high: 0.002, n: 25, basis: 'agency' } })
    expect(screen.getByText(/^8 ใน 10/)).toHaveTextContent(
      '8 ใน 10 งานประเภทเดียวกันของหน่วยงานนี้ชนะที่ส่วนลด 0.2% จาก 25 งาน',
    )
    expect(screen.getByText(/ชื่องานอาจต่างกัน/)).toBeInTheDocument()
    expect(screen.queryByText(/^คิดกับราคากลาง/)).toBeNull()
    expect(screen.queryByTestId('chart-band')).toBeNull()
  })

  test('names doubtful reference prices apart from missing ones', async () => {
    const { answered } = setUp()
    await answered({ without_reference: 3, references_in_doubt: 2 })
    expect(screen.getByText(/^ไม่นับ/)).toHaveTextContent('ไม่นับ ไม่มีราคากลาง 1 งาน · ราคากลางน่าสงสัย 2 งาน ·')
  })

  test('states what was widened and why, and resets it', async () => {
    const { answered, calls } = setUp()
    await answered()
    expect(screen.getByRole('note')).toHaveTextContent(
      'หน่วยงานเดียวกันมีงานคล้ายกันเพียง 3 งาน (น้อยกว่า 9) จึงขยายเป็น ทั้งสังกัด กระทรวงหนึ่ง → ทุกหน่วยงาน',
    )
    const radios = within(screen.getByRole('group', { name: /ขอบเขตงานที่นำมาเทียบ/ }))
    expect(radios.getByRole('radio', { name: '+ ทุกหน่วยงาน 10 งาน' })).toBeChecked()
    await userEvent.click(radios.getByRole('radio', { name: 'หน่วยงานเดียวกัน 3 งาน' }))
    await vi.waitFor(() => expect(calls()).toHaveLength(2), PATIENT)
    expect(calls()[1]!.query.get('step')).toBe('agency')
    calls()[1]!.answer({
      ...PRICES,
      step: 'agency',
      n: 3,
      found: 3,
      results: PRICES.results.slice(0, 3),
      band: null,
      no_band_reason: 'too_few',
    })
    await vi.waitFor(() => expect(screen.getByRole('note')).toHaveTextContent('มีเพียง 3 งาน น้อยกว่า 9 งาน'), PATIENT)
    expect(screen.getByText(/มีเพียง 3 งาน น้อยเกินไป/)).toBeInTheDocument()
    expect(screen.getByText(/^มีงานคล้ายกันที่รู้ราคาไม่ถึง 9 งาน/)).toBeInTheDocument()
    expect(screen.queryByText(/^8 ใน 10/)).toBeNull()
    expect(screen.queryByRole('tablist')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'ให้ระบบเลือกขอบเขต' }))
    expect(await radios.findByRole('radio', { name: '+ ทุกหน่วยงาน 10 งาน' })).toBeChecked()
  })

  test('lists the projects, the closest first, with the reason for each', async () => {
    const { answered } = setUp()
    await answered()
    const list = within(screen.getByRole('region', { name: 'งานที่นำมาเทียบ' }))
    expect(list.getAllByRole('listitem')).toHaveLength(5)
    expect(list.getAllByRole('listitem')[0]).toHaveTextContent(
      'คล้ายเพราะ ชื่อมีคำว่า “กล้องวงจรปิด” (ตรงกัน 80%) · หน่วยงานเดียวกัน · วิธีเดียวกัน · ใหญ่กว่า 2.5 เท่า (1 ล้าน)',
    )
    await userEvent.click(list.getByRole('button', { name: 'ดูทั้ง 10 งาน' }))
    expect(list.getAllByRole('listitem')).toHaveLength(10)
    expect(list.getAllByRole('listitem')[9]).toHaveTextContent('รู้ราคาทุกราย 3 ราคา')
  })

  test('shows quartiles by size, agency and year, but none for fewer than five', async () => {
    const { answered } = setUp()
    await answered()
    const tables = within(screen.getByRole('region', { name: /ส่วนลดแยกตาม/ })).getAllByRole('table')
    expect(tables.map((table) => within(table).getAllByRole('row')[1]!.textContent)).toEqual([
      '500,000–5 ล้าน6.0%3.0% – 9.0%10',
      'กรมหนึ่ง (หน่วยงานนี้)–น้อยไป3',
      '25696.0%3.0% – 9.0%10',
    ])
  })

  test('states that there is no similar project', async () => {
    const { answered } = setUp()
    await answered({
      n: 0,
      found: 0,
      median: null,
      p25: null,
      p75: null,
      weighted: null,
      band: null,
      no_band_reason: 'too_few',
      bins: [],
      results: [],
      winners: [],
    })
    expect(screen.getByText('ยังไม่มีงานคล้ายกันที่ประกาศผลและมีราคากลาง')).toBeInTheDocument()
  })

  test('reloads on a click after a failure', async () => {
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

  test('is one tab stop at the middle bar, and arrows move to the others', async () => {
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
    await userEvent.tab()
    expect(document.activeElement).toBe(slider())
  })

  test('has a table with the same figures', async () => {
    const { answered } = setUp()
    await answered()
    await userEvent.click(screen.getByRole('tab', { name: 'ตาราง' }))
    const table = screen.getByRole('table', { name: 'จำนวนงานตามช่วงส่วนลดจากราคากลาง' })
    const rows = within(table).getAllByRole('row').slice(1)
    expect(rows.map((row) => row.textContent)).toEqual([
      'ต่ำกว่า 2.5%220.0%',
      '2.5 ถึง 5%220.0%',
      '5 ถึง 7.5%330.0%',
      'ตั้งแต่ 7.5%330.0%',
    ])
  })
})

describe('the target price', () => {
  test('shows how many winners it is below, full lists apart, and promises nothing', async () => {
    const { answered } = setUp()
    await answered()
    await userEvent.type(field(), '9.25 ล้าน')
    expect(spoken()).toHaveTextContent(
      '9,250,000.00 บาท ต่ำกว่าราคากลาง 7.5%ในงานที่คล้ายกัน 9 งาน ราคานี้ต่ำกว่าผู้ชนะ 7 งาน (รู้แค่ราคาผู้ชนะ)' +
        'ใน 1 งานที่รู้ราคาทุกราย ราคานี้ต่ำกว่าทุกราย 0 งาน: จาก 3 ราคาที่เสนอ ถูกกว่าราคานี้ 2 ราคา แพงกว่า 1 ราคา',
    )
    expect(screen.getByText(/ไม่ได้แปลว่ายื่นราคานี้แล้วจะชนะ/)).toBeInTheDocument()
    expect(document.body.textContent).not.toContain('โอกาส')
    expect(screen.getByText('ราคาเป้าหมายของคุณ', { selector: 'li' })).toBeInTheDocument()
  })

  test('moves by keys on a slider that describes the position in words', async () => {
    const { answered, calls } = setUp()
    await answered()
    const before = location.href
    expect(slider()).toHaveAttribute('aria-valuetext', 'ยังไม่ได้เลือกราคา')
    slider().focus()
    await userEvent.keyboard('{ArrowRight}')
    expect(field()).toHaveValue('6.5%')
    expect(slider()).toHaveAttribute(
      'aria-valuetext',
      'ต่ำกว่าราคากลาง 6.5% · ในงานที่คล้ายกัน 9 งาน ราคานี้ต่ำกว่าผู้ชนะ 6 งาน · ใน 1 งานที่รู้ราคาทุกราย ราคานี้ต่ำกว่าทุกราย 0 งาน: จาก 3 ราคาที่เสนอ ถูกกว่าราคานี้ 2 ราคา แพงกว่า 1 ราคา',
    )
    await userEvent.keyboard('{ArrowLeft}{ArrowDown}')
    expect(field()).toHaveValue('5.5%')
    await userEvent.keyboard('{PageUp}')
    expect(field()).toHaveValue('8%')
    await userEvent.keyboard('{End}{ArrowUp}')
    expect(slider()).toHaveValue('300')
    await userEvent.keyboard('{Home}')
    expect(field()).toHaveValue('-5%')
    await userEvent.clear(field())
    await userEvent.type(field(), '12%')
    expect(slider()).toHaveValue('120')
    // The target price is neither sent to the server nor added to the URL.
    expect([calls().length, location.href]).toEqual([1, before])
  })

  test('takes the price of the team, and does not store it in the browser', async () => {
    const { answered, bringPrice: setPrice } = setUp()
    await answered()
    const scrolled = vi.fn()
    Element.prototype.scrollIntoView = scrolled
    setPrice(9_300_000)
    expect(field()).toHaveValue('9,300,000.00')
    expect(spoken()).toHaveTextContent('ต่ำกว่าผู้ชนะ 6 งาน เท่ากับผู้ชนะ 1 งาน')
    expect([scrolled.mock.calls.length, localStorage.length]).toEqual([1, 0])
  })

  test('explains why it cannot be read', async () => {
    const { answered } = setUp()
    await answered()
    await userEvent.type(field(), '12')
    expect(field()).toBeInvalid()
    expect(field()).toHaveAccessibleDescription(/ใส่ % ต่อท้าย/)
  })

  test('is not compared without a reference price', async () => {
    const { answered } = setUp(null)
    await answered()
    await userEvent.type(field(), '5 ล้าน')
    expect(spoken()).toHaveTextContent('โครงการนี้ไม่มีราคากลาง')
  })

  test('is stored for this project and this user only', async () => {
    const { answered, view } = setUp()
    await answered()
    await userEvent.type(field(), '12%')
    view.unmount()
    expect(loadSavedTargetPrice('69119000001')).toBe('12%')
    expect(loadSavedTargetPrice('69119000002')).toBe('')
    saveTargetPrice('69119000001', '')
    expect(localStorage).toHaveLength(0)
  })

  test('ignores malformed storage content', () => {
    localStorage.setItem('tamngan.target-prices.nobody', '{"a":1}')
    expect(loadSavedTargetPrice('69119000001')).toBe('')
    localStorage.setItem('tamngan.target-prices.nobody', '[["69119000001",5],["69119000001","7%"]]')
    expect(loadSavedTargetPrice('69119000001')).toBe('7%')
  })
})
