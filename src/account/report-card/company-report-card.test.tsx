import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ReportCard } from '#contract/account/report-card.ts'
import { userKeys } from '#src/api/http/keys.ts'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { startSession } from '#src/lib/session-store.ts'
import { buildTestSession, buildTestUser } from '#src/report/api/user-api-for-tests.ts'
import { CompanyReportCard } from './company-report-card.tsx'

const TAX_ID = '0105536000011'
const CARD: ReportCard = {
  ...{ tax_id: TAX_ID, name: 'บริษัท ก จำกัด', points: 60, suspended_until: '2099-01-12' },
  noted_at: '2026-11-29T03:00:00.000Z',
}
let cards: ReportCard[]
let network: ReturnType<typeof startFakeNetwork>

beforeEach(() => {
  queryClient.clear()
  cards = [CARD]
  network = startFakeNetwork(({ path, method }) => {
    if (path === 'report-cards') return { results: cards }
    return method === 'PUT' ? CARD : undefined
  })
  startSession(buildTestSession())
})
afterEach(stopFakeNetwork)

function show(taxId: string | null, role: 'super_user' | 'member_user' = 'super_user') {
  queryClient.setQueryData(userKeys.me, { ...buildTestUser(), role })
  render(
    <QueryClientProvider client={queryClient}>
      <CompanyReportCard taxId={taxId} name="บริษัท ก จำกัด" />
    </QueryClientProvider>,
  )
}

test('shows the suspension and points; only super users edit them', async () => {
  show(TAX_ID, 'member_user')
  expect(await screen.findByText('พักสิทธิถึง 12 ม.ค. 2642 · 60 แต้ม')).toBeVisible()
  expect(screen.queryByRole('button')).toBeNull()
})

test('a company without a tax id has no report card', () => {
  show(null)
  expect(screen.queryByRole('button')).toBeNull()
})

test('notes points by hand, with the days that the rule gives for them', async () => {
  cards = []
  show(TAX_ID)
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'บันทึกสมุดพก' }))
  const points = await screen.findByRole('textbox', { name: 'แต้ม' }, { timeout: 15_000 })
  expect(screen.getByRole('button', { name: 'บันทึก' })).toBeDisabled()
  await user.type(points, 'x')
  expect(screen.getByText('ใส่แต้มเป็นเลขจำนวนเต็ม')).toBeVisible()
  await user.clear(points)
  await user.type(points, '60')
  expect(screen.getByText(/พักสิทธิ 180 วัน/)).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'บันทึก' }))
  await waitFor(() =>
    expect(network.to(`report-cards/${TAX_ID}`)[0]?.body).toEqual({
      ...{ name: 'บริษัท ก จำกัด', points: 60, suspended_until: null },
    }),
  )
})

test('keeps a stored suspension while the typed day is unreadable', async () => {
  show(TAX_ID)
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'แก้สมุดพก' }))
  const until = await screen.findByRole('textbox', { name: 'พักสิทธิถึง' }, { timeout: 15_000 })
  expect(until).toHaveValue('12/01/2642')
  await user.clear(until)
  await user.type(until, '31/2/2570')
  expect(await screen.findByText(/ไม่มีวันที่ 31/)).toBeVisible()
  expect(screen.getByRole('button', { name: 'บันทึก' })).toBeDisabled()
  await user.clear(until)
  await user.type(until, '1 มี.ค. 2570')
  await waitFor(() => expect(screen.getByRole('button', { name: 'บันทึก' })).toBeEnabled())
  await user.click(screen.getByRole('button', { name: 'บันทึก' }))
  await waitFor(() =>
    expect(network.to(`report-cards/${TAX_ID}`)[0]?.body).toEqual({
      ...{ name: 'บริษัท ก จำกัด', points: 60, suspended_until: '2027-03-01' },
    }),
  )
})

test('shows a refused deletion, and closes after one that succeeds', async () => {
  show(TAX_ID)
  await userEvent.click(await screen.findByRole('button', { name: 'แก้สมุดพก' }))
  const remove = await screen.findByRole('button', { name: 'ลบ' }, { timeout: 15_000 })
  const answerNext = async (count: number, body: object, status?: number) => {
    await userEvent.click(remove)
    await waitFor(() => expect(network.to(`report-cards/${TAX_ID}`)).toHaveLength(count))
    network.to(`report-cards/${TAX_ID}`).at(-1)!.answer(body, status)
  }
  await answerNext(1, { non_field_errors: ['ลบไม่ได้ตอนนี้'] }, 400)
  expect(await screen.findByRole('alert')).toHaveTextContent('ลบไม่ได้ตอนนี้')
  await answerNext(2, {})
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})
