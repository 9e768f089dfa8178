import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { EMPTY_QUALIFICATIONS, type Qualifications } from '#contract/account/qualification.ts'
import { userKeys } from '#src/api/http/keys.ts'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { buildTestUser } from '#src/report/api/user-api-for-tests.ts'
import { reportRow } from '../../../test/report-row.ts'
import { EligibilityCard } from './eligibility-card.tsx'

let qualifications: Qualifications
beforeEach(() => {
  queryClient.clear()
  startFakeNetwork(({ path }) => (path === 'qualifications' ? qualifications : undefined))
})
afterEach(stopFakeNetwork)

async function show(profile: Partial<Qualifications>, role: 'super_user' | 'member_user' = 'super_user') {
  qualifications = { ...EMPTY_QUALIFICATIONS, ...profile }
  queryClient.setQueryData(userKeys.me, buildTestUser({ role }))
  const row = reportRow({
    method: 'e_bidding',
    method_type: 'buy',
    budget: 10_400_000,
    bidding_invite_date: '2026-11-10',
  })
  const root = createRootRoute({ component: () => <EligibilityCard row={row} /> })
  const settings = createRoute({ getParentRoute: () => root, path: '/settings' })
  const router = createRouter({ routeTree: root.addChildren([settings]), history: createMemoryHistory() })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  const card = await screen.findByRole('region', { name: 'ยื่นได้ไหม' })
  await within(card).findByRole('heading', { name: 'ยื่นได้ไหม' })
  return card
}

test('states what is missing, how to fix it and the clause', async () => {
  const card = await show({
    bidder_kind: 'company',
    net_worth: -1,
    credit_line: 2_000_000,
    credit_letter_on: '2026-11-20',
  })
  expect(card).toHaveTextContent('ติด 1 เรื่อง')
  const [first] = within(card).getAllByRole('listitem')
  expect(first).toHaveTextContent('ไม่ผ่าน: ขาดวงเงินสินเชื่อ 600,000 (ต้องมี 2.6 ล้าน)')
  expect(first).toHaveTextContent('ขอหนังสือธนาคารอายุไม่เกิน 90 วัน')
  expect(first).toHaveTextContent('ข้อ 12.4')
  expect(card).toHaveTextContent('วางหลักประกันการเสนอราคา 520,000')
  expect(card).toHaveTextContent('ไม่ใช่คำแนะนำทางกฎหมาย')
})

test('asks a super user to fill in what would decide, and tells a member who can', async () => {
  const card = await show({})
  expect(card).toHaveTextContent('ยังไม่รู้')
  expect(within(card).getByRole('link', { name: 'กรอกคุณสมบัติบริษัท' })).toHaveAttribute(
    'href',
    '/settings?tab=team&part=qualifications',
  )
})

test('leads no member to a form that only super users may edit', async () => {
  const card = await show({}, 'member_user')
  expect(within(card).queryByRole('link')).toBeNull()
  expect(card).toHaveTextContent('ผู้ดูแลองค์กรกรอกได้ที่ตั้งค่า')
})
