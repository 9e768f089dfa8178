import { createMemoryHistory } from '@tanstack/react-router'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { TeamResultFigures, TeamResultGroup, TeamResultRow, TeamResults } from '#contract/team/team-results.ts'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { App } from '#src/app/app.tsx'
import { createAppRouter } from '#src/app/router.ts'
import { endSession, startSession } from '#src/lib/session-store.ts'
import { buildTestOrganisation } from '#src/matching/api/organisation-for-tests.ts'
import { buildTestSession, buildTestUser } from '#src/report/api/user-api-for-tests.ts'
import { rankTeamResultGroups } from './team-results-table.tsx'

const ARRIVES = { timeout: 15_000 }

const figures = (won: number, lost: number, more: Partial<TeamResultFigures> = {}): TeamResultFigures => ({
  ...{ pursued: won + lost + 4, bid: won + lost + 2, won, lost, waiting: 2, declined: 1, open: 1 },
  win_rate: won + lost === 0 ? null : won / (won + lost),
  won_value: won * 12_000_000,
  valued: won,
  discount: { median: 0.064, n: won },
  days_to_decide: { median: 3.5, n: 12 },
  ...more,
})
const group = (name: string, won: number, lost: number): TeamResultGroup => ({ ...figures(won, lost), key: name, name })
const groups = (...results: TeamResultGroup[]) => ({ total: results.length, results })

const RESULTS: TeamResults = {
  from: '2025-11-24',
  to: '2026-11-23',
  total: figures(9, 13),
  owner: groups(group('ปวีณา', 1, 0), group('กฤตภาส', 5, 9), group('สุดา', 3, 4)),
  department: groups(group('กองช่าง', 9, 13)),
  word: groups(group('กล้อง', 9, 13)),
  month: groups(group('ต.ค. 2569', 2, 3), group('พ.ย. 2569', 7, 10)),
  lost_reasons: [
    { key: 'ราคา', n: 8 },
    { key: 'none', n: 5 },
  ],
  declined_reasons: [],
  sees_price: true,
  feedback_weeks: [
    { from: '2026-11-23', acted: 2, relevant: 7, irrelevant: 31, seen: 5 },
    { from: '2026-11-16', acted: 0, relevant: 0, irrelevant: 0, seen: 0 },
  ],
}
const ROW: TeamResultRow = {
  ...{ project_id: '67110000001', name: 'ซื้อกล้อง', department: 'กองช่าง', owner: 'กฤตภาส', stage: 'ชนะ' },
  ...{ begun: '2026-10-02', announced: '2026-10-01', decided: '2026-10-05', days_to_decide: 4 },
  ...{ estimate: 10_000_000, price: 9_000_000, discount: 0.1, winner: 'บริษัท ก', winner_price: 9_000_000, reason: null },
}

let network: ReturnType<typeof startFakeNetwork>
let answer: TeamResults | undefined

beforeAll(async () => {
  await Promise.all([
    import('./results-page.tsx'),
    import('#src/routes/layout/app-layout.tsx'),
    import('#src/ui/overlay/modal-panel.tsx'),
  ])
}, 60_000)
beforeEach(() => {
  answer = RESULTS
  network = startFakeNetwork(({ path }) => {
    if (path === 'users/me') return buildTestUser()
    if (path === 'organisations/me') return buildTestOrganisation()
    if (path === 'results') return answer
    if (path === 'results/rows') return { total: 1, results: [ROW] }
    return undefined
  })
  startSession({ ...buildTestSession(), receivedAtMs: 1_000_000 })
})
afterEach(() => {
  endSession('logout')
  queryClient.clear()
  stopFakeNetwork()
  vi.restoreAllMocks()
})

async function open(address = '/results') {
  const router = createAppRouter(createMemoryHistory({ initialEntries: [address] }))
  render(<App router={router} />)
  await waitFor(() => expect(document.querySelector('h1')).toHaveTextContent('ผลงาน'), ARRIVES)
  return router
}
const table = () => screen.findByRole('table', {}, ARRIVES)
const names = async () =>
  within(await table())
    .getAllByRole('rowheader')
    .map(({ textContent }) => textContent)

test('ranks groups with enough results by win rate; others are last, grey and unranked', async () => {
  await open()
  expect(await names()).toEqual(['สุดา', 'กฤตภาส', 'ปวีณา'])
  const rows = within(await table())
    .getAllByRole('row')
    .slice(1)
  expect(rows.map((row) => within(row).getAllByRole('cell')[0]!.textContent)).toEqual(['1', '2', 'ยังไม่จัดอันดับ'])
  expect(within(rows[2]!).getByRole('button', { name: /^100\.0% ?ดูงาน/ })).toHaveClass('text-ink-faint')
  expect(within(rows[0]!).getByRole('button', { name: /^42\.9% ?ดูงาน/ })).not.toHaveClass('text-ink-faint')
  expect(within(rows[0]!).getByText('จาก 7')).toBeVisible()
  const [a, b] = [group('ก', 5, 5), group('ข', 6, 6)]
  expect(rankTeamResultGroups([a, b, group('ค', 0, 4)]).map(({ rank }) => rank)).toEqual([1, 1, undefined])
})

test('opens the tenders of a figure in the address; closing keeps the rest of it', async () => {
  const router = await open('/results?by=month')
  expect(await names()).toEqual(['ต.ค. 2569', 'พ.ย. 2569'])
  await userEvent.click(await screen.findByRole('button', { name: /^7 ?ดูงาน: ชนะ พ\.ย\. 2569$/ }))
  const panel = await screen.findByRole('dialog', { name: 'ชนะ · พ.ย. 2569' }, ARRIVES)
  expect(router.state.location.search).toEqual({ by: 'month', rows: 'won', group: 'month', key: 'พ.ย. 2569' })
  expect(Object.fromEntries(network.to('results/rows')[0]!.query)).toEqual({
    rows: 'won',
    group: 'month',
    key: 'พ.ย. 2569',
  })
  expect(await within(panel).findByRole('link', { name: 'ซื้อกล้อง' })).toHaveAttribute('href', '/report/67110000001')
  expect(within(panel).getByText('9,000,000.00 (ลด 10.0%)')).toBeVisible()
  await userEvent.click(within(panel).getByRole('button', { name: 'ปิด' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ by: 'month' }))
})

test('counts reasons and links them to their tenders', async () => {
  const router = await open()
  const card = await screen.findByRole('region', { name: 'เหตุที่แพ้' }, ARRIVES)
  expect(within(card).getByText('n=13')).toBeVisible()
  await userEvent.click(within(card).getByRole('button', { name: /ไม่ได้ระบุ/ }))
  await waitFor(() => expect(router.state.location.search).toEqual({ rows: 'lost', group: 'lost_reason', key: 'none' }))
  expect(await screen.findByText('ยังไม่มีงานที่ตัดสินใจไม่ยื่นในช่วงนี้')).toBeInTheDocument()
})

test('shows by week what nobody had seen before and the team acted on', async () => {
  await open()
  const card = await screen.findByRole('region', { name: 'งานที่ไม่เคยเห็นและคุณลงมือ' }, ARRIVES)
  expect(
    within(card)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual([
    'สัปดาห์ 23 พ.ย. 25692 งานเกี่ยว 7 · ไม่เกี่ยว 31 · เคยเห็นแล้ว 5',
    'สัปดาห์ 16 พ.ย. 25690 งานเกี่ยว 0 · ไม่เกี่ยว 0 · เคยเห็นแล้ว 0',
  ])
})

test('stores the period in the address and sends it', async () => {
  const router = await open('/results?all=true')
  await table()
  expect(Object.fromEntries(network.to('results').at(-1)!.query)).toEqual({ all: 'true' })
  await userEvent.click(await screen.findByRole('button', { name: 'ช่วงเวลา ทุกช่วงเวลา' }))
  await userEvent.click((await screen.findAllByRole('option', { name: /^ปีงบประมาณ/ }, ARRIVES))[1]!)
  await waitFor(() => expect(router.state.location.search).toHaveProperty('date__range'))
})

test('explains to users without price access why there is no discount', async () => {
  answer = { ...RESULTS, sees_price: false, total: figures(9, 13, { discount: null }) }
  await open()
  expect(await screen.findByText(/ไม่แสดงราคาของเราและส่วนลด/, {}, ARRIVES)).toBeVisible()
  expect(within(await table()).queryByRole('columnheader', { name: 'ส่วนลด' })).toBeNull()
  expect(screen.queryByText('ส่วนลดของเรา (มัธยฐาน)')).toBeNull()
})

test('shows separate screens for no data, a failure and a refusal', async () => {
  answer = { ...RESULTS, total: { ...figures(0, 0), pursued: 0 } }
  const router = await open()
  expect(await screen.findByText('ไม่มีงานที่เริ่มทำในช่วงนี้', {}, ARRIVES)).toBeVisible()
  answer = undefined
  await userEvent.click(screen.getByRole('button', { name: 'ดูทุกช่วงเวลา' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ all: 'true' }))
  const toAll = () => network.to('results').filter(({ query }) => query.get('all') === 'true')
  await waitFor(() => expect(toAll()).not.toEqual([]))
  for (const request of toAll()) request.answer({ non_field_errors: ['ไม่มีสิทธิ์'] }, 403)
  expect(await screen.findByText('บัญชีนี้ไม่มีผลงานของทีม', {}, ARRIVES)).toBeVisible()
})

test('offers a retry when the first request fails', async () => {
  answer = undefined
  await open()
  await waitFor(() => expect(network.to('results')).not.toEqual([]))
  for (const request of network.to('results')) request.answer({ non_field_errors: ['คำขอไม่ถูกต้อง'] }, 400)
  expect(await screen.findByText('โหลดผลงานไม่สำเร็จ', {}, ARRIVES)).toBeVisible()
  answer = RESULTS
  await userEvent.click(screen.getByRole('button', { name: /ลอง/ }))
  await table()
})
