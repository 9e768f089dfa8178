import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { MONEY_HISTOGRAM_UPPER_BOUNDS_BAHT } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { getProvincesInRegion } from '#contract/thai/province.ts'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import type { FilterContext } from './filter-context.ts'
import { FilterPanel } from './filter-panel.tsx'

// The first import of a module can take longer than the test timeout.
beforeAll(async () => void (await Promise.all([import('./date-filter.tsx'), import('./money-histogram.tsx')])))

beforeEach(() => {
  localStorage.clear()
  startFakeNetwork(() => ({ total: 0, results: [] }))
})
afterEach(stopFakeNetwork)

/** Index of the empty bin, from 180 to 320 thousand baht. */
const EMPTY_BIN = 2
const AREAS = { central: ['กรุงเทพมหานคร', 'นนทบุรี'], east: ['ระยอง'] }

function setUp(search: ReportSearch = {}, methods: { value: string; count: number }[] = []) {
  const change = vi.fn<FilterContext['change']>()
  const context: FilterContext = {
    search,
    change,
    facets: {
      options: {
        project_change_status__in: [{ value: 'new', count: 14 }],
        project_province__in: [
          { value: 'กรุงเทพมหานคร', count: 9 },
          { value: 'นนทบุรี', count: 3 },
        ],
        project_package_province: [{ value: 'true', count: 12 }],
        project_method__in: methods,
      },
      money: {
        project_budget__range: {
          max: 500_000_000,
          bins: [...MONEY_HISTOGRAM_UPPER_BOUNDS_BAHT.map((_, bin) => (bin === EMPTY_BIN ? 0 : 1)), 0],
        },
      },
      dates: { submission_end_date__range: [{ value: '@0,@7', count: 30 }] },
    },
    labels: [],
    areas: AREAS,
    ceilings: { budget: 500_000_000, otherBudgets: 625_000_000 },
    window: { start: '2025-10-01', end: '2027-09-30' },
    today: '2026-11-21',
  }
  const panel = (next: ReportSearch) => (
    <QueryClientProvider client={queryClient}>
      <FilterPanel context={{ ...context, search: next }} />
    </QueryClientProvider>
  )
  const { rerender } = render(panel(search))
  return Object.assign(change, {
    arrive: (next: ReportSearch) => rerender(panel(next)),
  })
}
const group = (name: string) => within(screen.getByRole('group', { name }))

test('shows the count of an option and sets the filter on a click and by keyboard', async () => {
  const change = setUp()
  const box = group('การเปลี่ยนแปลง').getByRole('checkbox', { name: /^ใหม่ ?14$/ })
  expect(box).not.toBeChecked()
  const patch = { project_change_status__in: { values: ['new'], negated: false } }
  const user = userEvent.setup()
  await user.click(box)
  expect(change.mock.calls).toEqual([[patch]])
  change.arrive(patch)
  expect(box).toBeChecked()
  change.mockClear()
  await user.keyboard(' ')
  expect(change.mock.calls).toEqual([[{ project_change_status__in: undefined }]])
})

test('negates the chosen values with "is not"', async () => {
  const change = setUp({ project_change_status__in: { values: ['new'], negated: false } })
  await userEvent.click(screen.getByRole('switch', { name: 'การเปลี่ยนแปลง: ไม่เอารายการที่เลือก' }))
  expect(change).toHaveBeenCalledExactlyOnceWith({ project_change_status__in: { values: ['new'], negated: true } })
})

test('selects all provinces of a region by one box, half ticked for some of them', async () => {
  const change = setUp({ project_province__in: { values: ['นนทบุรี'], negated: false } })
  const region = group('จังหวัดของโครงการ').getByRole('checkbox', { name: /^ภาคกลาง ?12$/ })
  expect(region).toBePartiallyChecked()
  await userEvent.click(region)
  expect(change).toHaveBeenCalledExactlyOnceWith({
    project_province__in: { values: ['นนทบุรี', 'กรุงเทพมหานคร'], negated: false },
  })
})

test('offers only regions with a province in the package', () => {
  setUp()
  const names = () =>
    group('จังหวัดของโครงการ')
      .getAllByRole('checkbox')
      .map((box) => box.closest('label')?.textContent)
  expect(names()).toEqual(['ภาคกลาง12', 'ภาคตะวันออก0'])
})

test('unfolds regions and their provinces on demand, and shows a chosen province before that', async () => {
  const change = setUp({ project_province__in: { values: ['นนทบุรี'], negated: false } })
  const provinces = group('จังหวัดของโครงการ')
  expect(provinces.queryByRole('button', { name: 'จังหวัดในภาคกลาง' })).toBeNull()
  await userEvent.click(provinces.getByRole('checkbox', { name: /^นนทบุรี/ }))
  expect(change).toHaveBeenCalledExactlyOnceWith({ project_province__in: undefined })
  await userEvent.click(provinces.getByRole('button', { name: 'ทุกภาคและจังหวัด' }))
  await userEvent.click(provinces.getByRole('button', { name: 'จังหวัดในภาคกลาง' }))
  expect(provinces.getByRole('checkbox', { name: /^กรุงเทพมหานคร/ })).toBeVisible()
})

test('limits to the package in a fold of its own', async () => {
  const change = setUp()
  await userEvent.click(fold(/^ตัวกรองเพิ่มเติม/))
  await userEvent.click(fold(/^จังหวัดในแพ็กเกจ/))
  await userEvent.click(screen.getByRole('checkbox', { name: /^เฉพาะจังหวัดในแพ็กเกจ ?12$/ }))
  expect(change).toHaveBeenCalledExactlyOnceWith({ project_package_province: true })
})

test('parses an amount in words and echoes it before applying it', async () => {
  const change = setUp()
  await userEvent.click(group('งบประมาณ (บาท)').getByRole('button', { name: 'กำหนดเอง' }))
  const field = screen.getByLabelText('งบประมาณ ต่ำสุด (บาท)')
  await userEvent.type(field, '5 ล้าน')
  expect(screen.getByText('= 5,000,000.00 บาท')).toBeInTheDocument()
  expect(change).not.toHaveBeenCalled()
  await userEvent.keyboard('{Enter}')
  expect(change).toHaveBeenCalledExactlyOnceWith({ project_budget__range: { min: 5_000_000, max: null } })
})

test.each([
  ['500000', ''],
  ['5000000', '= 5,000,000.00 บาท'],
])('echoes the digits %s as "%s", because only long ones are hard to read', async (typed, echo) => {
  setUp()
  await userEvent.click(group('งบประมาณ (บาท)').getByRole('button', { name: 'กำหนดเอง' }))
  const field = screen.getByLabelText('งบประมาณ ต่ำสุด (บาท)')
  await userEvent.type(field, typed)
  expect(field).toHaveAccessibleDescription(echo)
})

test('keeps an unreadable amount in the field with the reason', async () => {
  const change = setUp()
  await userEvent.click(group('งบประมาณ (บาท)').getByRole('button', { name: 'กำหนดเอง' }))
  await userEvent.type(screen.getByLabelText('งบประมาณ สูงสุด (บาท)'), 'เยอะ{Enter}')
  expect(screen.getByLabelText('งบประมาณ สูงสุด (บาท)')).toBeInvalid()
  expect(screen.getByText(/อ่านจำนวนเงินไม่ออก/)).toBeInTheDocument()
  expect(change).not.toHaveBeenCalled()
})

test('swaps two amounts typed in the wrong order', async () => {
  const change = setUp({ project_budget__range: { min: null, max: 1_000_000 } })
  await userEvent.type(screen.getByLabelText('งบประมาณ ต่ำสุด (บาท)'), '2 ล้าน{Enter}')
  expect(change).toHaveBeenCalledExactlyOnceWith({ project_budget__range: { min: 1_000_000, max: 2_000_000 } })
})

test('moves a thumb by keys from stop to stop and updates the address after a pause', () => {
  vi.useFakeTimers()
  const change = setUp({ project_budget__range: { min: 1_200_000, max: null } })
  const thumb = screen.getByRole('slider', { name: 'งบประมาณ ต่ำสุด' })
  fireEvent.keyDown(thumb, { key: 'ArrowRight' })
  fireEvent.keyDown(thumb, { key: 'ArrowRight' })
  expect(thumb).toHaveAttribute('aria-valuetext', '3.2 ล้าน บาท')
  expect(change).not.toHaveBeenCalled()
  vi.advanceTimersByTime(400)
  expect(change).toHaveBeenCalledExactlyOnceWith({ project_budget__range: { min: 3_200_000, max: null } })
  vi.useRealTimers()
})

const graph = () => screen.findByRole('button', { name: 'งบประมาณ เลือกช่วงในกราฟ ใช้ลูกศรเปลี่ยนช่วง' })
/** jsdom has no layout, so the graph gets a width; its 16 bins are 20 px each. */
const withWidth = (element: HTMLElement) =>
  vi.spyOn(element, 'getBoundingClientRect').mockReturnValue({ left: 0, width: 320 } as DOMRect)

test('shows bin and count of a bar by keyboard and sets the filter on Enter', async () => {
  const change = setUp()
  const user = userEvent.setup()
  const button = await graph()
  act(() => button.focus())
  await user.keyboard('{Home}')
  expect(screen.getByText('ไม่เกิน 100,000 · 1 โครงการ')).toBeInTheDocument()
  // The third bin is empty, so the third filled bar is the fourth bin.
  await user.keyboard('{ArrowRight}{ArrowRight}')
  expect(screen.getByText('320,000–560,000 · 1 โครงการ')).toBeInTheDocument()
  await user.keyboard('{Enter}')
  expect(change).toHaveBeenCalledExactlyOnceWith({ project_budget__range: { min: 320_000.01, max: 560_000 } })
})

test('picks the bar nearest to the pointer, and clears the active bar', async () => {
  const change = setUp()
  const button = await graph()
  withWidth(button)
  fireEvent.click(button, { clientX: 110, detail: 1 })
  expect(change).toHaveBeenCalledExactlyOnceWith({ project_budget__range: { min: 1_000_000.01, max: 1_800_000 } })
  // The bin under the pointer is empty, so the nearest filled one is chosen.
  fireEvent.click(button, { clientX: 48, detail: 1 })
  expect(change).toHaveBeenLastCalledWith({ project_budget__range: { min: 100_000.01, max: 180_000 } })
  change.mockClear()
  change.arrive({ project_budget__range: { min: null, max: 100_000 } })
  expect(button).toHaveAttribute('aria-pressed', 'true')
  fireEvent.click(button, { clientX: 5, detail: 1 })
  expect(change).toHaveBeenCalledExactlyOnceWith({ project_budget__range: undefined })
  vi.restoreAllMocks()
})

test('parses a Thai date and rejects an impossible one', async () => {
  const change = setUp()
  await userEvent.click(group('วันสิ้นสุดยื่นข้อเสนอ').getByRole('button', { name: 'กำหนดเอง' }))
  const until = await screen.findByLabelText('วันสิ้นสุดยื่นข้อเสนอ ถึงวันที่')
  await userEvent.type(until, '31/2/69{Enter}')
  expect(until).toBeInvalid()
  await userEvent.clear(until)
  await userEvent.type(until, '15/12/69{Enter}')
  expect(change).toHaveBeenCalledExactlyOnceWith({ submission_end_date__range: { from: null, to: '2026-12-15' } })
})

const fold = (name: RegExp) => screen.getByRole('button', { name })

test('shows six groups and folds the rest, and stores the fold on the device', async () => {
  setUp()
  const titles = screen.getAllByRole('heading', { level: 3 }).map((heading) => heading.textContent)
  expect(titles).toEqual([
    'วันสิ้นสุดยื่น',
    'งบประมาณ (บาท)',
    'จังหวัด',
    'หน่วยงาน',
    'วิธีจัดหา',
    'การเปลี่ยนแปลง',
    expect.stringMatching(/^ตัวกรองเพิ่มเติม ?\d+$/),
  ])
  expect(screen.queryByRole('button', { name: 'สถานะโครงการ' })).toBeNull()
  await userEvent.click(fold(/^ตัวกรองเพิ่มเติม/))
  await userEvent.click(fold(/^สถานะโครงการ/))
  expect(JSON.parse(localStorage.getItem('tamngan.report.filters')!)).toEqual(['more', 'project_status__in'])
  cleanup()
  setUp()
  expect(fold(/^สถานะโครงการ/)).toHaveAttribute('aria-expanded', 'true')
})

test('counts the active filters of the fold while it is closed', () => {
  setUp({
    check_sme: true,
    project_status__in: { values: ['in_progress', 'contract_created'], negated: false },
    project_change_status__in: { values: ['new'], negated: false },
  })
  expect(fold(/^ตัวกรองเพิ่มเติม/)).toHaveAccessibleName(/^ตัวกรองเพิ่มเติม ?2 ?ตัวกรองที่ใช้อยู่ในกลุ่มนี้$/)
})

test('shows the methods with the most projects, and the rest on demand', async () => {
  setUp({ project_method__in: { values: ['selective'], negated: false } }, [
    { value: 'specific', count: 7 },
    { value: 'e_bidding', count: 41 },
    { value: 'selective', count: 0 },
    { value: 'e_market', count: 3 },
    { value: 'price_inquiry', count: 1 },
  ])
  const methods = () =>
    group('วิธีจัดหา')
      .getAllByRole('checkbox')
      .map((box) => box.closest('label')?.textContent)
  // A selected option stays visible, however few projects it has.
  expect(methods()).toHaveLength(3)
  expect(methods().slice(0, 2)).toEqual([expect.stringMatching(/41$/), expect.stringMatching(/7$/)])
  await userEvent.click(group('วิธีจัดหา').getByRole('button', { name: /^แสดงอีก \d+ รายการ$/ }))
  expect(methods().length).toBeGreaterThan(3)
})

test('counts a whole region as one chosen value', () => {
  const central = getProvincesInRegion('central')
  setUp({ project_province__in: { values: [...central, 'ระยอง'], negated: false } })
  expect(screen.getByRole('heading', { name: /^จังหวัด ?2 ?ค่าที่เลือก$/ })).toBeVisible()
})
