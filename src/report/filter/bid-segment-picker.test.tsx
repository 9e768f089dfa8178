import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { ReportFacets } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { listFiltersExceptBidStateSegment } from '#src/lib/bid-segment.ts'
import type { ChangeReportSearchFn, ReportSearchPatch } from '#src/lib/report-change.ts'
import { ReportBidStateSegmentPicker } from './bid-segment-picker.tsx'

const options = (...counts: [string, number][]): ReportFacets => ({
  options: { project_bidding__in: counts.map(([value, count]) => ({ value, count })) },
  money: {},
  dates: {},
})

function draw(search: ReportSearch, facets?: ReportFacets) {
  const changes: ReportSearchPatch[] = []
  const change: ChangeReportSearchFn = (patch) => changes.push(patch)
  render(<ReportBidStateSegmentPicker context={{ search, facets, change }} panelId="rows" />)
  return changes
}
const tab = (name: RegExp) => screen.getByRole('tab', { name })

test('shows counts under the other filters; the total includes projects without a segment', () => {
  draw(
    { project_bidding__in: { values: ['open'], negated: false } },
    options(['open', 412], ['upcoming', 109], ['awarded', 1_227], ['closed', 3]),
  )
  expect(tab(/เปิดรับข้อเสนอ/).textContent).toBe('เปิดรับข้อเสนอ412')
  expect(tab(/กำลังจะมา/).textContent).toBe('กำลังจะมา109')
  expect(tab(/^ประกาศผล/).textContent).toBe('ประกาศผล1,227')
  expect(tab(/ทั้งหมด/).textContent).toBe('ทั้งหมด1,751')
  expect(tab(/เปิดรับข้อเสนอ/).getAttribute('aria-selected')).toBe('true')
})

test('selects the open segment and its deadline order in one change', async () => {
  const changes = draw({})
  await userEvent.click(tab(/เปิดรับข้อเสนอ/))
  const open = { project_bidding__in: { values: ['open'], negated: false }, ordering: 'submission_end_date' }
  expect([...changes]).toEqual([open])
})

test('resets only the order that the open segment has set', async () => {
  const open = { values: ['open'], negated: false }
  const first = draw({ project_bidding__in: open, ordering: 'submission_end_date' })
  await userEvent.click(tab(/ทั้งหมด/))
  expect([...first]).toEqual([{ project_bidding__in: undefined, ordering: undefined }])
  document.body.replaceChildren()
  const second = draw({ project_bidding__in: open, ordering: '-project_budget' })
  await userEvent.click(tab(/^ประกาศผล/))
  expect([...second]).toEqual([{ project_bidding__in: { values: ['awarded'], negated: false } }])
})

test('treats other values as a plain filter and keeps the first segment reachable by Tab', () => {
  const search: ReportSearch = { project_bidding__in: { values: ['closed'], negated: false }, check_sme: true }
  draw(search)
  expect(screen.queryByRole('tab', { selected: true })).toBeNull()
  expect(tab(/เปิดรับข้อเสนอ/).tabIndex).toBe(0)
  expect(listFiltersExceptBidStateSegment(search)).toEqual(['project_bidding__in', 'check_sme'])
  expect(
    listFiltersExceptBidStateSegment({ ...search, project_bidding__in: { values: ['open'], negated: false } }),
  ).toEqual(['check_sme'])
})

test('has delivered work as the last segment, without the counts and the order of active work', async () => {
  const changes = draw({ ordering: 'submission_end_date', project_bidding__in: { values: ['open'], negated: false } })
  expect(screen.getAllByRole('tab').at(-1)).toHaveTextContent(/^ส่งมอบแล้ว$/)
  await userEvent.click(tab(/^ส่งมอบแล้ว/))
  expect([...changes]).toEqual([{ project_bidding__in: undefined, ordering: undefined, is_archived: true }])
  document.body.replaceChildren()
  const back = draw({ is_archived: true }, options(['awarded', 9]))
  expect(tab(/^ส่งมอบแล้ว/)).toHaveAttribute('aria-selected', 'true')
  expect(tab(/^ประกาศผล/).textContent).toBe('ประกาศผล')
  await userEvent.click(tab(/^กำลังจะมา/))
  expect([...back]).toEqual([{ project_bidding__in: { values: ['upcoming'], negated: false }, is_archived: undefined }])
})
