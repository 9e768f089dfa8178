import { createMemoryHistory } from '@tanstack/react-router'
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { OperatorDataLoads } from '#contract/operation/loads.ts'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { App } from '#src/app/app.tsx'
import { createAppRouter } from '#src/app/router.ts'
import { endSession, startSession } from '#src/lib/session-store.ts'
import { buildTestOrganisation } from '#src/matching/api/organisation-for-tests.ts'
import { buildTestSession, buildTestUser } from '#src/report/api/user-api-for-tests.ts'

const ARRIVES = { timeout: 15_000 }
const LOAD: OperatorDataLoads['loads'][number] = {
  ...{
    id: 7,
    loads: 1,
    night: null,
    source: 'cgd-csv',
    origin: 'contract_2569.csv',
    state: 'published',
    failure: null,
  },
  ...{ started_at: '2026-11-22T18:00:00Z', published_at: '2026-11-22T18:05:00Z' },
  ...{ read: 1200, quarantined: 2, new_projects: 38, updated_projects: 112 },
}

let loads: OperatorDataLoads['loads']
let night: OperatorDataLoads['loads']

beforeAll(async () => {
  await Promise.all([import('#src/routes/operation-screen.tsx')])
}, 60_000)
beforeEach(() => {
  startFakeNetwork(({ path, query }) => {
    if (path === 'users/me') return { ...buildTestUser(), role: 'operator' }
    if (path === 'organisations/me') return buildTestOrganisation()
    if (path === 'operation/loads') return { loads: query.has('night') ? night : loads }
    if (path === 'operation/loads/7/rows') return { rows: [{ line: 41, reason: 'ไม่มีเลขที่โครงการ', raw: ',,ซื้อกล้อง,' }] }
    return undefined
  })
  startSession({ ...buildTestSession(), receivedAtMs: 1_000_000 })
})
afterEach(() => {
  endSession('logout')
  stopFakeNetwork()
})

const open = () => {
  const history = createMemoryHistory({ initialEntries: ['/operation/loads'] })
  render(<App router={createAppRouter(history)} />)
}

test('shows content and outcome of a load, and its unreadable rows with their reasons', async () => {
  const failed = {
    ...LOAD,
    id: 8,
    state: 'failed',
    failure: 'ไฟล์ขาดกลางทาง',
    quarantined: 0,
    published_at: null,
  } as const
  loads = [failed, LOAD]
  open()
  const [first, second] = within(await screen.findByRole('list', { name: 'การนำเข้าล่าสุด' }, ARRIVES)).getAllByRole(
    'listitem',
  )
  expect(first).toHaveTextContent('ไม่สำเร็จ')
  expect(first).toHaveTextContent('ไฟล์ขาดกลางทาง')
  expect(within(first!).queryByRole('button')).toBeNull()
  expect(second).toHaveTextContent('23 พ.ย. 2569 01:05 น.')
  expect(second).toHaveTextContent('อ่าน 1,200 แถว · ใหม่ 38 · อัปเดต 112')
  await userEvent.click(within(second!).getByRole('button', { name: 'ดูแถวที่อ่านไม่ได้ 2 แถวของ contract_2569.csv' }))
  expect(await screen.findByText('ไม่มีเลขที่โครงการ', {}, ARRIVES)).toBeVisible()
  expect(screen.getByText('แสดง 1 แถวแรกจาก 2 แถว')).toBeVisible()
})

test('groups the small loads of a night in one row with totals, expandable to each', async () => {
  const small = { ...LOAD, source: 'egp-rss', origin: 'e-GP RSS', quarantined: 0, read: 3 }
  loads = [
    { ...small, loads: 812, night: '2026-11-22', quarantined: 2, read: 2400 },
    { ...LOAD, id: 3 },
  ]
  night = [LOAD, { ...small, id: 811 }]
  open()
  const [row] = within(await screen.findByRole('list', { name: 'การนำเข้าล่าสุด' }, ARRIVES)).getAllByRole('listitem')
  expect(row).toHaveTextContent('e-GP RSS คืนวันที่ 22 พ.ย. 2569')
  expect(row).toHaveTextContent('ทยอยเข้า 812 ครั้ง')
  await userEvent.click(within(row!).getByRole('button', { name: 'ดูแต่ละครั้งของคืนวันที่ 22 พ.ย. 2569' }))
  const importList = await screen.findByRole('list', { name: 'การนำเข้าของคืนวันที่ 22 พ.ย. 2569' }, ARRIVES)
  expect(within(importList).getAllByRole('listitem')).toHaveLength(2)
  expect(screen.getByText('แสดง 2 จาก 812 ครั้ง ที่มีแถวอ่านไม่ได้มาก่อน แล้วจึงล่าสุด')).toBeVisible()
  await userEvent.click(within(importList).getByRole('button', { name: /ดูแถวที่อ่านไม่ได้ 2 แถว/ }))
  expect(await screen.findByText('ไม่มีเลขที่โครงการ', {}, ARRIVES)).toBeVisible()
})

test('shows instructions before the first load, and retries a failed request on click', async () => {
  loads = undefined as never
  open()
  expect(await screen.findByText('โหลดประวัติการนำเข้าไม่สำเร็จ', {}, ARRIVES)).toBeVisible()
  loads = []
  await userEvent.click(screen.getByRole('button', { name: 'ลองใหม่' }))
  expect(await screen.findByText('ยังไม่เคยนำเข้าข้อมูล', {}, ARRIVES)).toBeVisible()
})

test('lists what a load accepted with doubts, by kind', async () => {
  loads = [
    {
      ...LOAD,
      doubts: [
        { kind: 'date_repaired', count: 1200 },
        { kind: 'amount_is_id', count: 3 },
      ],
    },
  ]
  open()
  expect(
    await screen.findByText('รับเข้าโดยมีข้อสังเกต: วันที่ซ่อมแล้ว 1,200 · จำนวนเงินเป็นเลขประจำตัว 3', {}, ARRIVES),
  ).toBeInTheDocument()
})
