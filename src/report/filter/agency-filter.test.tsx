import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import type { AgencyOptions } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { AgencyFilter } from './agency-filter.tsx'
import type { FilterContext } from './filter-context.ts'

afterEach(stopFakeNetwork)

const HIGHWAYS = { value: 'กรมทางหลวง', count: 1_200 }
const UNIT = { value: 'กรมทางหลวง › แขวงทางหลวงระยอง', count: 40 }
const LAMPHUN = { value: 'เทศบาลตำบลบ้านกลาง จ.ลำพูน', count: 3 }
const LARGEST: AgencyOptions = { total: 1_234, results: [HIGHWAYS, LAMPHUN] }

function setUp(initial: ReportSearch = {}, answer: (text: string | null) => AgencyOptions = () => LARGEST) {
  const changed = vi.fn<FilterContext['change']>()
  const network = startFakeNetwork(({ query }) => answer(query.get('q')))
  function Page() {
    const [search, setSearch] = useState(initial)
    const change: FilterContext['change'] = (patch) => {
      changed(patch)
      setSearch({ ...search, ...patch } as ReportSearch)
    }
    return <AgencyFilter context={{ search, change } as FilterContext} />
  }
  render(
    <QueryClientProvider client={queryClient}>
      <Page />
    </QueryClientProvider>,
  )
  return { changed, network, user: userEvent.setup() }
}
const names = () => screen.getAllByRole('checkbox').map((box) => box.closest('label')?.textContent)
const box = (name: RegExp) => screen.findByRole('checkbox', { name })
const field = () => screen.getByRole('searchbox', { name: 'ค้นหาหน่วยงาน' })

test('lists the two largest agencies with their counts; the rest and the total on demand', async () => {
  const third = { value: 'กรมที่ดิน', count: 2 }
  const { network, user } = setUp({ check_sme: true, page: 3 }, () => ({
    total: 1_234,
    results: [...LARGEST.results, third],
  }))
  await box(/^กรมทางหลวง ?1,200$/)
  expect(names()).toEqual(['กรมทางหลวง1,200', 'เทศบาลตำบลบ้านกลาง จ.ลำพูน3'])
  expect(screen.getByRole('status')).toBeEmptyDOMElement()
  await user.tab()
  expect(field()).toHaveFocus()
  expect(names()).toHaveLength(2)
  await user.click(field())
  expect(names()).toHaveLength(3)
  expect(screen.getByRole('status')).toHaveTextContent('แสดง 50 จาก 1,234 รายการ พิมพ์ชื่อเพื่อค้นหา')
  expect(network.asked.map(({ path, query }) => `${path}?${query}`)).toEqual(['projects/agencies?check_sme=true'])
})

test('shows selected agencies first, adds a value, and clears the last one', async () => {
  const { changed, user } = setUp({ project_agency__in: { values: [LAMPHUN.value], negated: false } })
  expect(await box(/^เทศบาลตำบลบ้านกลาง จ.ลำพูน ?3$/)).toBeChecked()
  expect(names()).toEqual(['เทศบาลตำบลบ้านกลาง จ.ลำพูน3', 'กรมทางหลวง1,200'])
  await user.click(await box(/กรมทางหลวง/))
  const both = { values: [LAMPHUN.value, HIGHWAYS.value], negated: false }
  expect(changed).toHaveBeenLastCalledWith({ project_agency__in: both })
  await user.click(await box(/กรมทางหลวง/))
  await user.click(await box(/ลำพูน/))
  expect(changed).toHaveBeenLastCalledWith({ project_agency__in: undefined })
})

test('searches as the user types, and shows a unit with its agency', async () => {
  const { changed, network, user } = setUp({}, (text) => (text ? { total: 1, results: [UNIT] } : LARGEST))
  await box(/กรมทางหลวง/)
  await user.type(field(), 'ระยอง')
  const unit = await box(/^แขวงทางหลวงระยอง ?กรมทางหลวง ?40$/)
  expect(network.asked.at(-1)!.query.get('q')).toBe('ระยอง')
  expect(screen.getByRole('status')).toHaveTextContent('พบ 1 รายการ')
  await user.click(unit)
  expect(changed).toHaveBeenLastCalledWith({ project_agency__in: { values: [UNIT.value], negated: false } })
})

test('reports that no agency has the words, and keeps a selected one without projects', async () => {
  const selected = { values: [LAMPHUN.value], negated: true }
  const { user } = setUp({ project_agency__in: selected }, (text) => (text ? { total: 0, results: [] } : LARGEST))
  await box(/กรมทางหลวง/)
  await user.type(field(), 'ฃฅ')
  expect(await screen.findByText('ไม่มีหน่วยงานอื่นที่ชื่อมีคำนี้')).toBeVisible()
  expect(names()).toEqual(['เทศบาลตำบลบ้านกลาง จ.ลำพูน0'])
  expect(screen.getByRole('switch', { name: /ไม่เอารายการที่เลือก/ })).toBeChecked()
})

test('moves between the field and the options by arrow keys', async () => {
  const { changed, user } = setUp()
  await box(/กรมทางหลวง/)
  await user.click(field())
  await user.keyboard('{ArrowDown}{ArrowDown} ')
  expect(changed).toHaveBeenLastCalledWith({ project_agency__in: { values: [LAMPHUN.value], negated: false } })
  await waitFor(() => expect(names()[0]).toContain('ลำพูน'))
  field().focus()
  await user.keyboard('{ArrowDown}{ArrowUp}')
  expect(field()).toHaveFocus()
})
