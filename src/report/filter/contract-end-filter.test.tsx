import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { ContractEndFilter } from './contract-end-filter.tsx'
import type { FilterContext } from './filter-context.ts'

function setUp(search: ReportSearch = {}) {
  const change = vi.fn<FilterContext['change']>()
  const facets = { options: { ends_within: [{ value: '90', count: 12 }] }, money: {}, dates: {} }
  const context = { search, change, facets, labels: [], areas: {}, today: '2026-11-23' } as unknown as FilterContext
  render(<ContractEndFilter context={context} />)
  return change
}
const box = (name: RegExp) => screen.getByRole('checkbox', { name })
const field = () => screen.getByRole('textbox', { name: 'สัญญาสิ้นสุดภายในกี่วัน' })

test('shows the project count of an option and sets the filter on click', () => {
  const change = setUp()
  expect(box(/ภายใน 30 วัน ?0$/)).not.toBeChecked()
  fireEvent.click(box(/ภายใน 90 วัน ?12$/))
  expect(change).toHaveBeenCalledExactlyOnceWith({ ends_within: 90 })
})

test('ticks the active option and clears it on click', () => {
  const change = setUp({ ends_within: 90 })
  expect(box(/ภายใน 90 วัน/)).toBeChecked()
  fireEvent.click(box(/ภายใน 90 วัน/))
  expect(change).toHaveBeenCalledExactlyOnceWith({ ends_within: undefined })
})

test('leaves the open segment, as open tenders have no contract', () => {
  const change = setUp({ project_bidding__in: { values: ['open'], negated: false }, ordering: 'submission_end_date' })
  fireEvent.click(box(/ภายใน 180 วัน/))
  expect(change).toHaveBeenCalledExactlyOnceWith({
    ends_within: 180,
    project_bidding__in: undefined,
    ordering: undefined,
  })
})

test('accepts any number of days, also in Thai digits, and shows an error for others', () => {
  const change = setUp({ ends_within: 45 })
  expect(field()).toHaveValue('45')
  fireEvent.change(field(), { target: { value: '๓๖๕ วัน' } })
  fireEvent.keyDown(field(), { key: 'Enter' })
  expect(change).toHaveBeenCalledExactlyOnceWith({ ends_within: 365 })
  fireEvent.change(field(), { target: { value: '731' } })
  fireEvent.keyDown(field(), { key: 'Enter' })
  expect(screen.getByText('ใส่จำนวนวัน 1 ถึง 730')).toBeVisible()
  expect(change).toHaveBeenCalledTimes(1)
})
