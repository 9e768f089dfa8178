import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { CalendarSubscribePanel } from './calendar-subscribe-panel.tsx'

const FILTER = {
  id: 'mine',
  filterName: 'กล้องทั้งประเทศ',
  filterData: { filter: {}, search: [] },
  isSend: false,
  isStart: false,
}
const VIEW = {
  ...{ id: 'theirs', filterName: 'ของทีม', filterData: FILTER.filterData },
  owner: 12,
  owner_name: 'กฤตภาส',
}
const URL = 'https://app.example/api/v2/filter-feeds/secret.csv'
const ARRIVES = { timeout: 15_000 }

let network: ReturnType<typeof startFakeNetwork>
let refused: boolean

beforeEach(() => {
  refused = false
  network = startFakeNetwork(({ path, method }) => {
    if (path === 'team-marks') return { labels: [], carriers: {}, views: [VIEW] }
    if (method === 'POST') return refused ? undefined : { url: URL }
    if (path !== 'calendar-feeds') return undefined
    const feed = { id: 7, source: 'filter', name: FILTER.filterName, created_at: '2026-11-23T02:00:00.000Z' }
    return {
      feeds: [
        { ...feed, format: 'csv', fetched_at: null },
        { ...feed, id: 8, format: 'ics', fetched_at: null },
      ],
      most: 10,
    }
  })
})
afterEach(() => {
  stopFakeNetwork()
  queryClient.clear()
})

const open = (saved?: string) =>
  render(
    <QueryClientProvider client={queryClient}>
      <CalendarSubscribePanel search={saved === undefined ? {} : { saved }} filters={[FILTER]} />
    </QueryClientProvider>,
  )
const button = (name: string | RegExp) => screen.findByRole('button', { name }, ARRIVES)

test('creates an Excel table link for a saved filter by keyboard alone, shown once', async () => {
  const user = userEvent.setup()
  open('mine')
  ;(await button(/^รูปแบบ/)).focus()
  await user.keyboard('{Enter}')
  await screen.findByRole('option', { name: 'ตาราง Excel (CSV)' }, ARRIVES)
  await user.keyboard('{End}{Enter}')
  expect(await screen.findByText(/Excel หรือ Google Sheets/)).toBeVisible()
  ;(await button('สร้างลิงก์')).focus()
  await user.keyboard('{Enter}')
  const status = await screen.findByRole('status')
  expect(within(status).getByText(URL)).toBeVisible()
  expect(within(status).getByText(/Data → From Web/)).toBeVisible()
  expect(within(status).queryByRole('link')).toBeNull()
  expect(network.asked.find(({ method }) => method === 'POST')!.body).toEqual({
    source: 'filter',
    filter_id: 'mine',
    format: 'csv',
  })
})

test('distinguishes links of one filter by their formats', async () => {
  open()
  expect(await button('ยกเลิก ลิงก์ กล้องทั้งประเทศ ตาราง Excel (CSV)')).toBeVisible()
  expect(await button('ยกเลิก ลิงก์ กล้องทั้งประเทศ ปฏิทิน (ICS)')).toBeVisible()
})

test('offers only a calendar without a saved filter, and explains how to get the rest', async () => {
  open()
  expect(await button('สร้างลิงก์')).toBeVisible()
  expect(screen.queryByRole('button', { name: /^รูปแบบ/ })).toBeNull()
  expect(screen.getByText(/เลือกตัวกรองที่บันทึกไว้/)).toBeVisible()
})

test('reports a refusal and keeps the choice', async () => {
  const user = userEvent.setup()
  refused = true
  open('mine')
  await user.click(await button('สร้างลิงก์'))
  network.asked.find(({ method }) => method === 'POST')!.answer({ non_field_errors: ['มีลิงก์ลับได้ไม่เกิน 10 ลิงก์'] }, 400)
  expect(await screen.findByText('สร้างลิงก์ไม่สำเร็จ')).toBeVisible()
  expect(await button(/กล้องทั้งประเทศ$/)).toBeVisible()
})

test('subscribes to a shared team view, and reports when the sharing has ended', async () => {
  const user = userEvent.setup()
  const feed = { id: 9, source: 'view', format: 'ics', created_at: '2026-11-23T02:00:00.000Z', fetched_at: null }
  stopFakeNetwork()
  network = startFakeNetwork(({ path, method }) => {
    if (path === 'team-marks') return { labels: [], carriers: {}, views: [VIEW] }
    if (method === 'POST') return { url: URL }
    return { feeds: [{ ...feed, name: null, owner_name: 'สมศรี', is_over: true }], most: 10 }
  })
  open()
  expect(await screen.findByText('มุมมองทีม (ทีม: สมศรี)', {}, ARRIVES)).toBeVisible()
  expect(screen.getByText(/เลิกแบ่งแล้ว/)).toBeVisible()
  await user.click(await button(/^โครงการ/))
  await user.click(await screen.findByRole('option', { name: 'ของทีม (ทีม: กฤตภาส)' }, ARRIVES))
  expect(screen.getByText(/เท่าที่เจ้าของยังแบ่งมุมมองนี้/)).toBeVisible()
  await user.click(await button('สร้างลิงก์'))
  await screen.findByRole('status')
  const request = network.asked.find(({ method }) => method === 'POST')
  expect(request?.body).toEqual({ source: 'view', filter_id: 'theirs', owner: 12, format: 'ics' })
})
