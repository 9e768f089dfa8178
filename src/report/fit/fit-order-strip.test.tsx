import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import type { FitEvidence } from '#contract/matching/fit.ts'
import { DEFAULT_START_SEARCH } from '#contract/report/start-view.ts'
import { userKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { buildTestUser } from '#src/report/api/user-api-for-tests.ts'
import { buildFitOrderPatch } from './build-fit-order-patch.ts'
import { FitOrderStrip } from './fit-order-strip.tsx'

const EVIDENCE: FitEvidence = {
  won: 12,
  bid: 0,
  starred: 4,
  hidden: 2,
  no_bid: 0,
  has_company: true,
  is_ready: true,
  scored: 1_234,
}

beforeEach(() => queryClient.clear())

async function show(change: Partial<FitEvidence> = {}) {
  queryClient.setQueryData(userKeys.me, buildTestUser({ role: 'super_user' }))
  const onLeave = vi.fn()
  const root = createRootRoute({
    component: () => <FitOrderStrip evidence={{ ...EVIDENCE, ...change }} onLeave={onLeave} />,
  })
  const settings = createRoute({ getParentRoute: () => root, path: '/settings' })
  const router = createRouter({ routeTree: root.addChildren([settings]), history: createMemoryHistory() })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  const strip = await screen.findByRole('complementary', { name: 'เรียงตามเหมาะกับเรา' })
  return { strip, onLeave, user: userEvent.setup() }
}

test('says what the order was learnt from, and one press leaves it', async () => {
  const { strip, onLeave, user } = await show()
  expect(strip).toHaveTextContent('เรียนจากงานที่ชนะ 12 · งานที่คุณติดดาว 4 · งานที่คุณซ่อน 2')
  await user.click(screen.getByRole('button', { name: 'เรียงแบบเดิม' }))
  expect(onLeave).toHaveBeenCalledOnce()
})

test('explains the order and what it leaves without a score', async () => {
  const { user } = await show()
  await user.click(screen.getByRole('button', { name: 'อธิบาย' }))
  const panel = screen.getByRole('dialog', { name: 'เรียงตามเหมาะกับเราอย่างไร' })
  expect(panel).toHaveTextContent('1,234 งาน งานอื่นตามหลังโดยล่าสุดก่อน')
  expect(panel).toHaveTextContent('การเรียงไม่ซ่อนงานใด')
  expect(panel).not.toHaveTextContent('ใส่เลขผู้เสียภาษี')
})

test('says what is missing when there is too little to learn from', async () => {
  const { strip } = await show({ won: 0, starred: 2, is_ready: false, has_company: false, scored: 0 })
  expect(strip).toHaveTextContent('จึงเรียงตามวันสิ้นสุดยื่น')
  expect(strip).toHaveTextContent('อย่างน้อย 3 งาน ตอนนี้มี 2 งาน')
  expect(screen.getByRole('link', { name: 'กรอกคุณสมบัติบริษัท' })).toHaveAttribute(
    'href',
    '/settings?tab=team&part=qualifications',
  )
})

test('leaving returns to the usual order of the segment', () => {
  expect(buildFitOrderPatch({})).toEqual({ ordering: 'fit' })
  expect(buildFitOrderPatch({ ordering: 'fit' })).toEqual({ ordering: undefined })
  expect(buildFitOrderPatch({ ...DEFAULT_START_SEARCH, ordering: 'fit' })).toEqual({
    ordering: DEFAULT_START_SEARCH.ordering,
  })
})
