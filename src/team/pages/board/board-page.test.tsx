import { createMemoryHistory } from '@tanstack/react-router'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import {
  DEFAULT_PURSUIT_CHECKLIST,
  DEFAULT_PURSUIT_STAGES,
  type PursuitSettings,
} from '#contract/account/pursuit-settings.ts'
import type { PursuitCard, PursuitDetail, PursuitList } from '#contract/team/pursuit.ts'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { App } from '#src/app/app.tsx'
import { createAppRouter } from '#src/app/router.ts'
import { endSession, startSession } from '#src/lib/session-store.ts'
import { buildTestOrganisation } from '#src/matching/api/organisation-for-tests.ts'
import { buildTestSession, buildTestUser } from '#src/report/api/user-api-for-tests.ts'

const ARRIVES = { timeout: 15_000 }
const AT = '2026-11-20T02:00:00.000Z'

const card = (project_id: string, stage: string, more: Partial<PursuitCard> = {}): PursuitCard => ({
  project_id,
  name: `ซื้อกล้อง ${project_id}`,
  agency: 'กองช่าง',
  province: 'ระยอง',
  budget: 2_150_000,
  deadline: '2026-12-09',
  stage,
  owner: null,
  note_count: 2,
  items_done: 1,
  items: 4,
  changed_at: AT,
  ...more,
})
const SETTINGS: PursuitSettings = {
  stages: [...DEFAULT_PURSUIT_STAGES],
  template: [...DEFAULT_PURSUIT_CHECKLIST],
  price_roles: [],
  sees_price: false,
  labels: [],
  members: [{ id: 7, name: 'กฤตภาส วงศ์สายหมอก', is_disabled: false }],
}

let network: ReturnType<typeof startFakeNetwork>
let cards: PursuitCard[]

beforeAll(async () => {
  await Promise.all([
    import('./board-page.tsx'),
    import('#src/routes/layout/app-layout.tsx'),
    import('#src/ui/overlay/modal-panel.tsx'),
  ])
}, 60_000)
beforeEach(() => {
  cards = [card('1', 'screened', { owner: 7 }), card('2', 'screened', { deadline: '2026-12-01' }), card('3', 'won')]
  network = startFakeNetwork(({ path, method }) => {
    if (path === 'users/me') return buildTestUser()
    if (path === 'organisations/me') return buildTestOrganisation()
    if (path === 'pursuits/settings') return SETTINGS
    if (path === 'pursuits' && method === 'GET')
      return { results: cards, total: cards.length, version: 1 } satisfies PursuitList
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

async function open(address = '/board') {
  const router = createAppRouter(createMemoryHistory({ initialEntries: [address] }))
  render(<App router={router} />)
  await waitFor(() => expect(document.querySelector('h1')).toHaveTextContent('บอร์ด'), ARRIVES)
  return router
}
const column = (name: RegExp) => screen.findByRole('region', { name }, ARRIVES)
const sent = () => network.asked.filter(({ method }) => method === 'PATCH')
const actionsOf = (index = 0) => sent()[index]?.body

test('marks the card of a cancelled project, counts no days and places it last', async () => {
  cards = [
    card('1', 'screened', { deadline: '2026-11-30', is_cancelled: true }),
    card('2', 'screened', { deadline: '2026-12-01' }),
  ]
  await open()
  await screen.findByRole('button', { name: 'ย้ายไป: ซื้อกล้อง 1' }, ARRIVES)
  const cardElements = [...document.querySelectorAll('[data-card]')]
  expect(cardElements.map((item) => item.getAttribute('data-card'))).toEqual(['2', '1'])
  expect(cardElements[1]).toHaveTextContent('ยกเลิก')
  expect(cardElements[1]).not.toHaveTextContent(/อีก|เหลือ|\d วัน/)
})

test('shows count and budget per column; ended ones are collapsed and open in the address', async () => {
  const router = await open()
  const first = await column(/^คัดแล้ว 2 งาน$/)
  expect(within(first).getByText('งบรวม 4.30 ล้าน บาท')).toBeVisible()
  const links = within(first).getAllByRole('link')
  expect(links.map(({ textContent }) => textContent)).toEqual(['ซื้อกล้อง 2', 'ซื้อกล้อง 1'])
  expect(within(first).getByText('ผู้ดูแล กฤตภาส วงศ์สายหมอก')).toBeInTheDocument()
  expect(within(first).getAllByText('1/4')).toHaveLength(2)
  await userEvent.click(await screen.findByRole('button', { name: 'กางคอลัมน์ ชนะ' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ fold: 'won' }))
  expect(within(await column(/^ชนะ 1 งาน$/)).getByRole('link')).toHaveTextContent('ซื้อกล้อง 3')
})

test('lifts a card, selects a column, announces each step and drops it at once by keyboard', async () => {
  const user = userEvent.setup()
  await open()
  const handle = await screen.findByRole('button', { name: 'ย้าย ซื้อกล้อง 1' }, ARRIVES)
  handle.focus()
  await user.keyboard(' ')
  expect(handle).toHaveAttribute('aria-pressed', 'true')
  await user.keyboard('{ArrowRight}{ArrowRight}')
  expect(screen.getByText('ตัดสินใจ คอลัมน์ที่ 3 จาก 8')).toBeInTheDocument()
  await user.keyboard(' ')
  expect(within(await column(/^ตัดสินใจ 1 งาน$/)).getByRole('link')).toHaveTextContent('ซื้อกล้อง 1')
  await waitFor(() => expect(sent()).toHaveLength(1))
  expect(sent()[0]!.path).toBe('pursuits/1')
  expect(JSON.stringify(actionsOf())).toContain('"deciding"')
  await waitFor(() => expect(document.activeElement).toHaveAttribute('data-handle', '1'))
  sent()[0]!.answer({ non_field_errors: ['x'] }, 400)
  await column(/^คัดแล้ว 2 งาน$/)
})

test('returns a lifted card on Esc and sends nothing', async () => {
  const user = userEvent.setup()
  await open()
  const handle = await screen.findByRole('button', { name: 'ย้าย ซื้อกล้อง 1' }, ARRIVES)
  handle.focus()
  await user.keyboard(' {ArrowRight}{Escape}')
  expect(handle).toHaveAttribute('aria-pressed', 'false')
  expect(screen.getByText('วางกลับที่ คัดแล้ว')).toBeInTheDocument()
  expect(sent()).toEqual([])
})

test('requires one reason before a card moves to แพ้', async () => {
  const user = userEvent.setup()
  await open()
  await user.click(await screen.findByRole('button', { name: 'ย้ายไป: ซื้อกล้อง 1' }, ARRIVES))
  await user.click(await screen.findByRole('menuitemradio', { name: 'แพ้' }))
  const dialog = await screen.findByRole('dialog', { name: 'ย้ายไป “แพ้”' }, ARRIVES)
  await user.click(within(dialog).getByRole('button', { name: 'ย้าย' }))
  expect(within(dialog).getByRole('alert')).toHaveTextContent('ใส่เหตุผล')
  expect(sent()).toEqual([])
  await user.type(within(dialog).getByLabelText('แพ้เพราะอะไร'), 'ราคาสูงกว่า')
  await user.click(within(dialog).getByRole('button', { name: 'ย้าย' }))
  await waitFor(() => expect(sent()).toHaveLength(1))
  expect(JSON.stringify(actionsOf())).toContain('ราคาสูงกว่า')
  sent()[0]!.answer({ non_field_errors: ['x'] }, 400)
  await column(/^คัดแล้ว 2 งาน$/)
})

test('asks whether to bid past deciding, with an answer now or later', async () => {
  const user = userEvent.setup()
  await open()
  const move = async (name: string) => {
    await user.click(await screen.findByRole('button', { name: `ย้ายไป: ${name}` }, ARRIVES))
    await user.click(await screen.findByRole('menuitemradio', { name: 'เตรียมยื่น' }))
    return screen.findByRole('dialog', { name: 'ย้ายไป “เตรียมยื่น”' }, ARRIVES)
  }
  await user.click(within(await move('ซื้อกล้อง 1')).getByRole('button', { name: 'ยื่น' }))
  await waitFor(() => expect(sent()).toHaveLength(1))
  expect(actionsOf()).toMatchObject({
    actions: [
      { action: 'set_stage', stage: 'preparing' },
      { action: 'decide', decision: 'bid' },
    ],
  })
  await user.click(within(await move('ซื้อกล้อง 2')).getByRole('button', { name: 'ข้าม' }))
  await waitFor(() => expect(sent()).toHaveLength(2))
  expect(actionsOf(1)).toMatchObject({ actions: [{ action: 'set_stage', stage: 'preparing' }] })
  for (const call of sent()) call.answer({ non_field_errors: ['x'] }, 400)
  await column(/^คัดแล้ว 2 งาน$/)
})

test('shows both states of a conflicting move and lets the user choose one', async () => {
  const user = userEvent.setup()
  const current = {
    project_id: '1',
    pursuit: {
      ...{ stage: 'declined', stage_since: AT, owner: 7, decision: 'no_bid', reason: 'ไกลเกินไป', decided_by: 7 },
      ...{
        decided_at: AT,
        lost_reason: null,
        price: null,
        checklist: [],
        created_by: 7,
        created_at: AT,
        changed_at: AT,
      },
    },
    notes: [],
    history: [{ id: 9, at: AT, by: 7, action: 'decide', from: null, to: 'ไม่ยื่น' }],
    outcome: null,
    draft_comments: [],
  } satisfies PursuitDetail
  await open()
  const refuseMove = async (nth: number) => {
    await user.click(await screen.findByRole('button', { name: 'ย้ายไป: ซื้อกล้อง 1' }, ARRIVES))
    await user.click(await screen.findByRole('menuitemradio', { name: 'ตัดสินใจ' }))
    await waitFor(() => expect(sent()).toHaveLength(nth))
    sent()[nth - 1]!.answer({ code: 'changed_meanwhile', non_field_errors: ['x'], current }, 409)
    return screen.findByRole('dialog', { name: 'มีคนในทีมแก้งานนี้ไปก่อนแล้ว' }, ARRIVES)
  }
  const dialog = await refuseMove(1)
  expect(actionsOf()).toMatchObject({ seen: { stage: 'screened', owner: 7, decision: null, reason: null } })
  const team = within(dialog).getByRole('region', { name: 'ของทีมตอนนี้' })
  expect(team).toHaveTextContent(/กฤตภาส วงศ์สายหมอก ตัดสินใจไม่ยื่น/)
  expect(team).toHaveTextContent(/ไกลเกินไป/)
  expect(within(dialog).getByRole('region', { name: 'ของคุณ' })).toHaveTextContent('ยังไม่ตัดสินใจ')
  expect(screen.queryByText(/ย้ายการ์ดไม่สำเร็จ/)).toBeNull()
  await user.click(within(dialog).getByRole('button', { name: 'คงของทีมไว้' }))
  expect(sent()).toHaveLength(1)
  const again = await refuseMove(2)
  await user.click(within(again).getByRole('button', { name: 'ใช้ของฉันแทน' }))
  await waitFor(() => expect(sent()).toHaveLength(3))
  expect(actionsOf(2)).toMatchObject({
    actions: [{ action: 'set_stage' }],
    seen: { stage: 'declined', owner: 7, decision: 'no_bid', reason: 'ไกลเกินไป' },
  })
  sent()[2]!.answer({ non_field_errors: ['x'] }, 400)
  await column(/^คัดแล้ว 2 งาน$/)
})

test('asks for a reason on ไม่ยื่น past deciding, and moves the card there', async () => {
  const user = userEvent.setup()
  await open()
  await user.click(await screen.findByRole('button', { name: 'ย้ายไป: ซื้อกล้อง 1' }, ARRIVES))
  await user.click(await screen.findByRole('menuitemradio', { name: 'เตรียมยื่น' }))
  const dialog = await screen.findByRole('dialog', { name: 'ย้ายไป “เตรียมยื่น”' }, ARRIVES)
  await user.click(within(dialog).getByRole('button', { name: 'ไม่ยื่น' }))
  const why = await screen.findByRole('dialog', { name: 'ย้ายไป “ไม่ยื่น”' }, ARRIVES)
  await user.type(within(why).getByLabelText('ไม่ยื่นเพราะอะไร'), 'ไกลเกินไป')
  await user.click(within(why).getByRole('button', { name: 'ย้าย' }))
  await waitFor(() => expect(sent()).toHaveLength(1))
  expect(actionsOf()).toMatchObject({ actions: [{ action: 'set_stage', stage: 'declined', reason: 'ไกลเกินไป' }] })
  sent()[0]!.answer({ non_field_errors: ['x'] }, 400)
  await column(/^คัดแล้ว 2 งาน$/)
})

test('reads filters from the address and sends them', async () => {
  await open('/board?owner=7&due=14')
  await column(/^คัดแล้ว/)
  expect(Object.fromEntries(network.to('pursuits').at(-1)!.query)).toEqual({ owner: '7', due_within: '14' })
})

test('applies report filters, names them, removes them one by one and links to the table', async () => {
  const user = userEvent.setup()
  const router = await open('/board?project_name__in=กล้อง&pursuit_stage__in=screened&owner=7')
  await column(/^คัดแล้ว/)
  expect(Object.fromEntries(network.to('pursuits').at(-1)!.query)).toEqual({
    project_name__in: 'กล้อง',
    pursuit_stage__in: 'screened',
    owner: '7',
  })
  const filters = screen.getByRole('list', { name: 'ตัวกรองจากรายงาน' })
  expect(within(filters).getByText('คัดแล้ว')).toBeVisible()
  expect(screen.getByRole('link', { name: 'ดูเป็นตาราง' }).getAttribute('href')).toContain('/report?project_name__in=')
  await user.click(within(filters).getByRole('button', { name: 'เอาตัวกรอง ชื่อโครงการ กล้อง ออก' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ pursuit_stage__in: 'screened', owner: '7' }))
})

test('explains how to fill an empty board', async () => {
  cards = []
  await open()
  expect(await screen.findByText('ยังไม่มีงานบนบอร์ด', {}, ARRIVES)).toBeVisible()
  expect(screen.getByRole('link', { name: 'เพิ่มจากรายงาน' })).toBeVisible()
})

test('renders only visible cards of a long column; ↓ ↑ Home End reach all, and focus follows', async () => {
  // jsdom has no layout, so mock the sizes.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600)
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(150)
  const day = (at: number) => new Date(Date.UTC(2026, 11, 1 + at)).toISOString().slice(0, 10)
  cards = Array.from({ length: 100 }, (_, at) => card(String(at + 1), 'screened', { deadline: day(at) }))
  cards.push(...Array.from({ length: 60 }, (_, at) => card(String(at + 501), 'pricing', { deadline: day(at) })))
  const user = userEvent.setup()
  await open()
  const first = await column(/^คัดแล้ว 100 งาน$/)
  expect(within(first).getAllByRole('link').length).toBeLessThan(20)
  expect(first.querySelector('[data-card]')).toHaveAttribute('aria-setsize', '100')
  within(first).getByRole('button', { name: 'ย้าย ซื้อกล้อง 1' }).focus()
  await user.keyboard('{ArrowDown}')
  expect(document.activeElement).toHaveAttribute('data-handle', '2')
  await user.keyboard('{End}')
  expect(document.activeElement).toHaveAttribute('data-handle', '100')
  await user.keyboard('{ArrowUp}')
  expect(document.activeElement).toHaveAttribute('data-handle', '99')
  await user.keyboard(' {ArrowRight} ')
  await column(/^รอราคา 61 งาน$/)
  await waitFor(() => expect(document.activeElement).toHaveAttribute('data-handle', '99'))
  expect(document.activeElement?.closest('[data-column]')).toHaveAttribute('data-column', 'pricing')
  await waitFor(() => expect(sent()).toHaveLength(1))
  sent()[0]!.answer({ non_field_errors: ['x'] }, 400)
  await column(/^คัดแล้ว 100 งาน$/)
  await waitFor(() =>
    expect(document.activeElement?.closest('[data-column]')).toHaveAttribute('data-column', 'screened'),
  )
  expect(document.activeElement).toHaveAttribute('data-handle', '99')
})
