import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Follows } from '#contract/report/follow.ts'
import { FollowsSection } from '#src/account/pages/settings/notification/notifications-tab.tsx'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { endSession, startSession } from '#src/lib/session-store.ts'
import { buildTestSession } from '#src/report/api/user-api-for-tests.ts'
import { buildBuyerFollowTargets, FollowButtons } from './follow-buttons.tsx'

const TOWN = { kind: 'department', key: 'เทศบาล', name: 'เทศบาล' } as const
let follows: Follows
let network: ReturnType<typeof startFakeNetwork>

beforeEach(() => {
  follows = { follows: [], bell: ['department', 'company', 'project'], mail: ['department'] }
  network = startFakeNetwork(({ method }) => (method === 'GET' ? follows : undefined))
  startSession(buildTestSession())
})
afterEach(() => {
  endSession('logout')
  queryClient.clear()
  stopFakeNetwork()
})
const sent = () => network.asked.filter(({ method }) => method === 'PATCH')

test('follows at once and rolls back when the server refuses', async () => {
  render(
    <QueryClientProvider client={queryClient}>
      <FollowButtons targets={[{ ...TOWN, text: 'หน่วยงานนี้' }]} />
    </QueryClientProvider>,
  )
  await userEvent.click(await screen.findByRole('button', { name: 'รับแจ้งหน่วยงานนี้' }))
  expect(await screen.findByRole('button', { name: 'รับแจ้งอยู่: หน่วยงานนี้', pressed: true })).toBeVisible()
  await waitFor(() => expect(sent()).toHaveLength(1))
  expect(sent()[0]).toMatchObject({ path: 'users/me/follows', body: { add: TOWN } })
  sent()[0]!.answer({ non_field_errors: ['ติดตามได้ไม่เกิน 200 รายการ'] }, 400)
  expect(await screen.findByRole('button', { name: 'รับแจ้งหน่วยงานนี้', pressed: false })).toBeVisible()
})

test('offers several targets in one menu and counts those that are followed', async () => {
  render(
    <QueryClientProvider client={queryClient}>
      <FollowButtons
        targets={[
          { ...TOWN, text: ' เทศบาล' },
          { kind: 'project', key: '69119000001', name: 'ซื้อกล้อง', text: 'งานที่เกี่ยวข้อง' },
        ]}
      />
    </QueryClientProvider>,
  )
  await userEvent.click(await screen.findByRole('button', { name: 'รับแจ้งเรื่องใหม่' }))
  await userEvent.click(screen.getByRole('menuitem', { name: 'รับแจ้ง เทศบาล' }))
  await waitFor(() => expect(sent().map(({ body }) => body)).toEqual([{ add: TOWN }]))
  await userEvent.click(await screen.findByRole('button', { name: 'รับแจ้งอยู่ 1 เรื่อง' }))
  expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual([
    'เลิกรับแจ้ง เทศบาล',
    'รับแจ้งงานที่เกี่ยวข้อง',
  ])
})

test('lists follows in the settings, switches a kind per channel and unfollows', async () => {
  follows = { ...follows, follows: [TOWN] }
  render(
    <QueryClientProvider client={queryClient}>
      <FollowsSection />
    </QueryClientProvider>,
  )
  await userEvent.click(await screen.findByRole('checkbox', { name: /^อีเมล ?บริษัท$/ }))
  await waitFor(() => expect(sent().map(({ body }) => body)).toEqual([{ mail: ['department', 'company'] }]))
  sent()[0]!.answer({ ...follows, mail: ['department', 'company'] })
  await userEvent.click(screen.getByRole('button', { name: 'เลิกรับแจ้ง เทศบาล' }))
  await waitFor(() => expect(sent().at(-1)!.body).toEqual({ remove: { kind: 'department', key: 'เทศบาล' } }))
  expect(await screen.findByText(/ยังไม่ได้รับแจ้งเรื่องใด/)).toBeVisible()
})

test.each([
  [
    'a school offers itself and its agency',
    { agency: 'สพฐ.', unit: 'โรงเรียนบ้านค่าย', province: 'ระยอง' },
    [' โรงเรียนบ้านค่าย จ.ระยอง', ' สพฐ. ทุกหน่วย'],
  ],
  [
    'an agency that buys in every province offers the one there and all of it',
    { agency: 'กรมสรรพากร', unit: 'กรมสรรพากร', province: 'ระยอง' },
    [' กรมสรรพากร จ.ระยอง', ' กรมสรรพากร ทุกหน่วย'],
  ],
  [
    'a local body is one of several of its name',
    { agency: 'เทศบาลตำบลหนองบัว', unit: 'เทศบาลตำบลหนองบัว', province: 'ระยอง' },
    [' เทศบาลตำบลหนองบัว จ.ระยอง'],
  ],
  [
    'a unit of a local body offers itself and the body of that province',
    { agency: 'เทศบาลตำบลหนองบัว', unit: 'กองช่าง', province: 'ระยอง' },
    [' กองช่าง จ.ระยอง', ' เทศบาลตำบลหนองบัว จ.ระยอง ทุกหน่วย'],
  ],
  ['Bangkok is no จังหวัด', { agency: 'ก', unit: 'ข', province: 'กรุงเทพมหานคร' }, [' ข กรุงเทพมหานคร', ' ก ทุกหน่วย']],
  ['an agency without units or place is one', { agency: 'กรมสรรพากร', unit: '', province: null }, [' กรมสรรพากร']],
  ['a unit whose agency is unknown', { agency: '', unit: 'โรงเรียน', province: 'ระยอง' }, [' โรงเรียน']],
  ['nothing without a name', { agency: '', unit: '', province: null }, []],
])('names the follow targets: %s', (_what, buyer, texts) => {
  const targets = buildBuyerFollowTargets(buyer)
  expect(targets.map(({ text }) => text)).toEqual(texts)
  expect(new Set(targets.map(({ key }) => key)).size).toBe(targets.length)
})
