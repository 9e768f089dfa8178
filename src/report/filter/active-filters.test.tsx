import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { userKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { buildTestUser } from '#src/report/api/user-api-for-tests.ts'
import { ActiveFilters } from './active-filters.tsx'

const SEARCH = {
  project_name__in: 'กล้อง',
  project_dept_sub__in: 'เทศบาล',
  project_status__in: { values: ['project_cancelled'], negated: true },
  project_budget__range: { min: 1_000_000, max: 50_000_000 },
  ordering: '-project_budget',
  is_archived: true,
} as const

function setUp() {
  const handlers = { change: vi.fn(), onEdit: vi.fn(), onClear: vi.fn() }
  queryClient.setQueryData(userKeys.me, buildTestUser())
  render(
    <QueryClientProvider client={queryClient}>
      <ActiveFilters search={SEARCH} except={['project_name__in']} {...handlers} />
    </QueryClientProvider>,
  )
  return handlers
}

test('lists each active filter once, without order, tab and search box content', () => {
  setUp()
  const texts = screen.getAllByRole('listitem').map((item) => item.textContent)
  expect(texts).toEqual(['หน่วยงาน เทศบาล', 'สถานะโครงการ ไม่ใช่ ยกเลิกโครงการ', 'งบประมาณ 1–50 ล้าน', 'ล้างทั้งหมด'])
})

test('removes a filter by a button that names it', async () => {
  const { change } = setUp()
  await userEvent.click(screen.getByRole('button', { name: 'เอาตัวกรอง งบประมาณ 1–50 ล้าน ออก' }))
  expect(change).toHaveBeenCalledExactlyOnceWith({ project_budget__range: undefined })
})

test('moves a search in another field back into the box', async () => {
  const { onEdit } = setUp()
  await userEvent.click(screen.getByRole('button', { name: /^หน่วยงาน ?เทศบาล$/ }))
  expect(onEdit).toHaveBeenCalledExactlyOnceWith('project_dept_sub__in')
})
