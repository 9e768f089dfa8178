import { QueryClientProvider } from '@tanstack/react-query'
import { screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { Organisation } from '#contract/account/organisation.ts'
import { organisationKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { renderInRouter } from '#src/report/pages/report/render-in-router-for-tests.tsx'
import { ReportSources } from './report-sources.tsx'

const keywords = (count: number) => Array.from({ length: count }, (_, id) => ({ id, word: `คำ ${id}`, approved: true }))

async function setUp(excludedCount: number | undefined, departments = 3) {
  queryClient.setQueryData(organisationKeys.me, {
    customer_config: { search_by_name: true, search_by_ai: true, search_by_deptsub: true },
    include: keywords(20),
    ai_include: keywords(4),
    deptsub_include: keywords(departments),
    exclude: keywords(9),
    ai_exclude: keywords(9),
  } as unknown as Organisation)
  await renderInRouter(
    <QueryClientProvider client={queryClient}>
      <ReportSources excludedCount={excludedCount} />
    </QueryClientProvider>,
  )
}
afterEach(() => queryClient.clear())

test('counts the words and departments behind the list, and links to them', async () => {
  await setUp(42)
  expect(screen.getByText(/^รายการนี้มาจาก/)).toHaveTextContent('รายการนี้มาจาก 24 คำ 3 หน่วยงาน · แก้')
  expect(screen.getByRole('link', { name: 'แก้คำติดตาม' })).toHaveAttribute('href', '/watch')
  expect(screen.getByText('คำไม่รวมซ่อนไว้')).toHaveTextContent('คำไม่รวมซ่อนไว้ 42')
  expect(screen.getByRole('link', { name: 'ทำไมไม่เห็นงาน?' })).toHaveAttribute('href', '/watch?tab=why')
})

test.each([undefined, 0])('names neither departments nor hidden projects where there are none (%s)', async (count) => {
  await setUp(count, 0)
  expect(screen.getByText(/^รายการนี้มาจาก/)).toHaveTextContent('รายการนี้มาจาก 24 คำ · แก้')
  expect(screen.queryByText(/ซ่อนไว้/)).toBeNull()
})
