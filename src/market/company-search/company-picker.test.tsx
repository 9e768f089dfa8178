import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import type { CompanySuggestion } from '#contract/market/company.ts'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { CompanyPicker, type CompanyPickerProps } from './company-picker.tsx'

const company = (id: number, name: string, change: Partial<CompanySuggestion> = {}): CompanySuggestion => ({
  id,
  name,
  tax_id: `010000000000${id}`,
  is_shared_name: false,
  is_sme: null,
  wins: 12,
  value: 34_500_000,
  ...change,
})
const RIVER = company(1, 'บริษัท แม่น้ำก่อสร้าง จำกัด', { tax_id: '0105550000015' })
const ROAD = company(2, 'ห้างหุ้นส่วนจำกัด ถนนงาม', { tax_id: null, value: null })

function setUp(props: Partial<CompanyPickerProps> = {}) {
  const network = startFakeNetwork(({ query }) => ({ results: query.get('q') === 'ไม่มี' ? [] : [RIVER, ROAD] }))
  const onPick = vi.fn()
  render(
    <QueryClientProvider client={queryClient}>
      <CompanyPicker label="เพิ่มบริษัท" onPick={onPick} {...props} />
    </QueryClientProvider>,
  )
  return { network, onPick, box: screen.getByRole('combobox', { name: 'เพิ่มบริษัท' }) }
}
// The input is debounced by 300 ms; on two busy cores the default timeout of one second is too short.
const option = (name: RegExp) => screen.findByRole('option', { name }, { timeout: 5_000 })
afterEach(stopFakeNetwork)

test('typing suggests companies with their wins, and Enter picks the highlighted one', async () => {
  const { onPick, box } = setUp()
  await userEvent.type(box, 'ก่อ')
  expect(await option(/แม่น้ำก่อสร้าง/)).toHaveTextContent('ชนะ 12 โครงการ · 34.5 ล้านบาท')
  expect(await option(/ถนนงาม/)).toHaveTextContent('ไม่ทราบเลขประจำตัวผู้เสียภาษี')
  await userEvent.keyboard('{ArrowDown}{Enter}')
  expect(onPick).toHaveBeenCalledExactlyOnceWith(ROAD)
  expect(box).toHaveValue('')
})

test('both encodings of sara am send the same query, and one letter sends none', async () => {
  const { network, box } = setUp()
  await userEvent.type(box, 'น')
  expect(await screen.findByText('พิมพ์อย่างน้อย 2 ตัวอักษร')).toBeInTheDocument()
  await userEvent.type(box, '\u0e4d\u0e49\u0e32')
  await option(/แม่น้ำก่อสร้าง/)
  expect(network.asked.map(({ query }) => query.get('q'))).toEqual(['น้\u0e33'])
})

test('omits a company already chosen, and reports no matches', async () => {
  const { box } = setUp({ exclude: [1] })
  await userEvent.type(box, 'ก่อ')
  await option(/ถนนงาม/)
  expect(screen.queryByRole('option', { name: /แม่น้ำก่อสร้าง/ })).toBeNull()
  await userEvent.clear(box)
  await userEvent.type(box, 'ไม่มี')
  expect(await screen.findByText('ไม่พบบริษัทชื่อนี้', {}, { timeout: 5_000 })).toBeInTheDocument()
})

test('with text search, Enter searches the text and a company is one arrow away', async () => {
  const onSearch = vi.fn()
  const { onPick, box } = setUp({ onSearch })
  await userEvent.type(box, 'ก่อ')
  await option(/แม่น้ำก่อสร้าง/)
  await userEvent.keyboard('{Enter}')
  expect(onSearch).toHaveBeenCalledExactlyOnceWith('ก่อ')
  await userEvent.type(box, 'ส')
  expect(await option(/แม่น้ำก่อสร้าง/)).toHaveAttribute('aria-disabled', 'true')
  await waitFor(async () => expect(await option(/แม่น้ำก่อสร้าง/)).not.toHaveAttribute('aria-disabled'))
  await userEvent.keyboard('{ArrowDown}{Enter}')
  expect(onPick).toHaveBeenCalledExactlyOnceWith(RIVER)
})

test('with text search, Enter on the tax id of a company opens it, and one that no company has is searched', async () => {
  const onSearch = vi.fn()
  const { onPick, box } = setUp({ onSearch })
  await userEvent.type(box, '0-1055-50000-01-5{Enter}')
  await waitFor(() => expect(onPick).toHaveBeenCalledExactlyOnceWith(RIVER))
  expect(onSearch).not.toHaveBeenCalled()
  await userEvent.clear(box)
  await userEvent.type(box, '0105550000023{Enter}')
  await waitFor(() => expect(onSearch).toHaveBeenCalledExactlyOnceWith('0105550000023'))
})

test('Enter before suggestions load searches the text, and an empty box clears the search', async () => {
  const onSearch = vi.fn()
  const { box } = setUp({ onSearch, text: 'ทาง' })
  expect(box).toHaveValue('ทาง')
  await userEvent.type(box, 'ก่อ{Enter}')
  expect(onSearch).toHaveBeenLastCalledWith('ทางก่อ')
  await userEvent.clear(box)
  await userEvent.keyboard('{Enter}')
  expect(onSearch).toHaveBeenLastCalledWith('')
})
