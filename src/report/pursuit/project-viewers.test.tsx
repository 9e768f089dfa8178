import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { userKeys } from '#src/api/http/keys.ts'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { endSession, startSession } from '#src/lib/session-store.ts'
import { buildTestSession, buildTestUser } from '#src/report/api/user-api-for-tests.ts'
import { ProjectViewers } from './project-viewers.tsx'

const LOOKS = ['กฤตภาส ชัยวัฒน์', 'สมศรี ดีงาม', 'อนันต์ ใจเย็น', 'วิภา แสงทอง'].map((name, index) => ({
  project_id: '1',
  id: index + 2,
  name,
  looked_at: `2026-11-21T0${5 - index}:00:00.000Z`,
}))
let network: ReturnType<typeof startFakeNetwork>

beforeEach(() => {
  startSession(buildTestSession())
  network = startFakeNetwork(({ path }) => (path === 'project-looks' ? { looks: LOOKS } : undefined))
})
afterEach(() => {
  endSession('logout')
  stopFakeNetwork()
})

function setUp(shares_looks: boolean) {
  queryClient.setQueryData(userKeys.me, buildTestUser({ shares_looks }))
  return render(
    <QueryClientProvider client={queryClient}>
      <ProjectViewers projectId="1" />
    </QueryClientProvider>,
  )
}

test('shows which teammates viewed it, and the time on hover and on focus', async () => {
  setUp(true)
  expect(await screen.findByText('ดูแล้ว: กฤตภาส ชัยวัฒน์, สมศรี ดีงาม, อนันต์ ใจเย็น, วิภา แสงทอง')).toBeInTheDocument()
  expect(screen.getByText('+1')).toBeInTheDocument()
  expect(network.to('project-looks').map(({ query }) => query.get('ids'))).toEqual(['1'])
  await userEvent.tab()
  const tooltip = await screen.findByRole('tooltip')
  expect(tooltip).toHaveTextContent('กฤตภาส ชัยวัฒน์ ดูแล้ว 21 พ.ย. 2569 12:00 น.')
})

test('requests and shows nothing without consent', async () => {
  const { container } = setUp(false)
  await vi.waitFor(() => expect(container).toBeEmptyDOMElement())
  expect(network.to('project-looks')).toEqual([])
})
