import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  DEFAULT_PURSUIT_CHECKLIST,
  DEFAULT_PURSUIT_STAGES,
  type PursuitSettings,
} from '#contract/account/pursuit-settings.ts'
import { applyPursuitActions } from '#contract/team/apply-pursuit-action.ts'
import type { PursuitDetail } from '#contract/team/pursuit.ts'
import type { PursuitAction } from '#contract/team/pursuit-action.ts'
import { userKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { startSession } from '#src/lib/session-store.ts'
import { buildTestSession, buildTestUser } from '#src/report/api/user-api-for-tests.ts'
import { BidDecisionBar } from './pursuit-decision-section.tsx'
import { PursuitPanel } from './pursuit-panel.tsx'

const ME = 1
const SETTINGS: PursuitSettings = {
  stages: [...DEFAULT_PURSUIT_STAGES],
  template: [...DEFAULT_PURSUIT_CHECKLIST],
  price_roles: ['super_user'],
  sees_price: true,
  labels: [],
  members: [
    { id: ME, name: 'ปวีณา ธารเมฆา', is_disabled: false },
    { id: 2, name: 'กฤตภาส วงศ์', is_disabled: false },
    { id: 3, name: 'คนเก่า', is_disabled: true },
  ],
}

let detail: PursuitDetail
let sent: PursuitAction[][]
let answer: () => Promise<Response>
let status: number

beforeEach(() => {
  queryClient.clear()
  sent = []
  status = 200
  detail = { project_id: '1', pursuit: null, notes: [], history: [], outcome: null, draft_comments: [] }
  answer = async () => Response.json(detail)
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const call = new Request(input, init)
    if (status !== 200) return Response.json({ code: 'not_found' }, { status })
    if (new URL(call.url).pathname.endsWith('/settings')) return Response.json(SETTINGS)
    if (call.method === 'GET') return Response.json(detail)
    const { actions } = (await call.json()) as { actions: PursuitAction[] }
    sent.push(actions)
    const response = await answer()
    if (!response.ok) return response
    const context = { by: ME, at: '2026-11-23T02:00:00.000Z', rules: SETTINGS }
    detail = applyPursuitActions(detail, actions, context)
    return Response.json(detail)
  })
  startSession(buildTestSession())
  queryClient.setQueryData(userKeys.me, { ...buildTestUser(), id: String(ME) })
})
afterEach(() => vi.unstubAllGlobals())

async function open(onComparePrice?: (baht: number) => void) {
  render(
    <QueryClientProvider client={queryClient}>
      <PursuitPanel
        row={{ project_id: '1', estimate_budget: 12_431_900 }}
        look="card"
        {...(onComparePrice && { onComparePrice })}
      />
    </QueryClientProvider>,
  )
  const block = screen.getByRole('region', { name: 'งานของเรา' })
  if (status === 200) await within(block).findByRole('button', { name: 'ยื่น' })
  return { block: within(block), user: userEvent.setup() }
}

test('shows a decision optimistically, starts the checklist, and rolls back when refused', async () => {
  const gate = Promise.withResolvers<Response>()
  answer = () => gate.promise
  const { block, user } = await open()
  await user.click(block.getByRole('button', { name: 'ยื่น' }))
  expect(await block.findByRole('checkbox', { name: /อ่าน TOR/ })).not.toBeChecked()
  expect(block.getByRole('button', { name: 'ยื่น' })).toHaveAttribute('aria-pressed', 'true')
  gate.resolve(Response.json({ non_field_errors: ['ไม่ได้'] }, { status: 400 }))
  await waitFor(() => expect(block.getByRole('button', { name: 'ยื่น' })).toHaveAttribute('aria-pressed', 'false'))
  expect(block.queryByRole('checkbox')).toBeNull()
})

test('offers the reason to bid in the same form', async () => {
  const { block, user } = await open()
  await user.click(block.getByRole('button', { name: 'ยื่น' }))
  const field = await block.findByRole('textbox', { name: 'เหตุผลที่ยื่น' })
  // Shortcuts such as J keep working after a decision to bid.
  expect(field).not.toHaveFocus()
  await user.type(field, 'ลูกค้าเดิม{Enter}')
  expect(await block.findByText('ลูกค้าเดิม')).toBeInTheDocument()
  await waitFor(() => expect(sent[1]).toEqual([{ action: 'decide', decision: 'bid', reason: 'ลูกค้าเดิม' }]))
})

test('the bar of a phone decides and takes the reason, too', async () => {
  render(
    <QueryClientProvider client={queryClient}>
      <BidDecisionBar id="1" />
    </QueryClientProvider>,
  )
  const bar = within(await screen.findByRole('group', { name: 'ตัดสินใจเรื่องนี้' }))
  const user = userEvent.setup()
  await user.click(bar.getByRole('button', { name: 'ไม่ยื่น' }))
  await user.type(await bar.findByRole('textbox', { name: 'เหตุผลที่ไม่ยื่น' }), 'งบต่ำ{Enter}')
  await waitFor(() => expect(sent[1]).toEqual([{ action: 'decide', decision: 'no_bid', reason: 'งบต่ำ' }]))
  expect(bar.queryByRole('textbox')).toBeNull()
  expect(bar.getByRole('button', { name: 'ไม่ยื่น', pressed: true })).toHaveFocus()
})

test('asks for an optional reason not to bid', async () => {
  const { block, user } = await open()
  await user.click(block.getByRole('button', { name: 'ไม่ยื่น' }))
  const field = await block.findByRole('textbox', { name: 'เหตุผลที่ไม่ยื่น' })
  expect(field).toHaveFocus()
  await user.keyboard('งบต่ำกว่าต้นทุน{Enter}')
  expect(await block.findByText('งบต่ำกว่าต้นทุน')).toBeInTheDocument()
  expect(block.getByRole('button', { name: 'ไม่ยื่น', pressed: true })).toHaveFocus()
  await user.click(block.getByRole('button', { name: 'แก้เหตุผล' }))
  await user.keyboard('{Escape}')
  expect(block.getByRole('button', { name: 'ไม่ยื่น', pressed: true })).toHaveFocus()
  expect(block.getByRole('button', { name: 'ขั้น ไม่ยื่น' })).toBeInTheDocument()
  await waitFor(() => expect(sent).toHaveLength(2))
  expect(sent[1]).toEqual([{ action: 'decide', decision: 'no_bid', reason: 'งบต่ำกว่าต้นทุน' }])
})

test('edits an item in place: Enter saves, Esc and the same text send nothing', async () => {
  const { block, user } = await open()
  await user.click(block.getByRole('button', { name: 'ยื่น' }))
  await user.click(await block.findByRole('button', { name: 'แก้รายการ อ่าน TOR' }))
  const field = () => block.getByRole('textbox', { name: 'แก้รายการ อ่าน TOR' })
  expect(field()).toHaveFocus()
  await user.keyboard(' ข้อ 4{Escape}')
  expect(await block.findByRole('checkbox', { name: /^อ่าน TOR$/ })).toBeInTheDocument()
  await waitFor(() => expect(block.getByRole('button', { name: 'แก้รายการ อ่าน TOR' })).toHaveFocus())
  await user.keyboard('{Enter}')
  await user.keyboard('{Enter}')
  await user.click(await block.findByRole('button', { name: 'แก้รายการ อ่าน TOR' }))
  await user.keyboard(' ข้อ 4{Enter}')
  expect(await block.findByRole('checkbox', { name: /^อ่าน TOR ข้อ 4$/ })).toBeInTheDocument()
  await waitFor(() => expect(sent.slice(1)).toEqual([[{ action: 'edit_item', id: 't1', text: 'อ่าน TOR ข้อ 4' }]]))
})

test('parses a price in words and compares it with the reference price', async () => {
  const { block, user } = await open()
  await user.click(block.getByRole('button', { name: 'ยื่น' }))
  await user.type(await block.findByLabelText('ราคาที่เราจะเสนอ (บาท)'), '11.48 ล้าน{Enter}')
  expect(await block.findByDisplayValue('11,480,000.00')).toBeInTheDocument()
  expect(block.getByText(/^ลด 7\.7.* จากราคากลาง$/)).toBeInTheDocument()
  await user.clear(block.getByLabelText('ราคาที่เราจะเสนอ (บาท)'))
  await user.type(block.getByLabelText('ราคาที่เราจะเสนอ (บาท)'), 'มาก')
  expect(block.getByText(/พิมพ์เป็นจำนวนเงิน/)).toBeInTheDocument()
})

test('compares our price with similar projects where the screen has them', async () => {
  const compare = vi.fn()
  const { block, user } = await open(compare)
  await user.click(block.getByRole('button', { name: 'ยื่น' }))
  await user.type(await block.findByLabelText('ราคาที่เราจะเสนอ (บาท)'), '11.48 ล้าน{Enter}')
  await user.click(await block.findByRole('button', { name: 'เทียบราคานี้กับงานคล้ายกัน' }))
  expect(compare).toHaveBeenCalledExactlyOnceWith(11_480_000)
})

test('suggests active colleagues on @, mentions them, and opens links elsewhere', async () => {
  const { block, user } = await open()
  const field = block.getByRole('textbox', { name: 'เขียนโน้ต' })
  await user.type(field, 'ดู https://example.org/a?b=1. ครับ @กฤต')
  const list = block.getByRole('listbox', { name: 'คนในทีม' })
  expect(
    within(list)
      .getAllByRole('option')
      .map((option) => option.textContent),
  ).toEqual([expect.stringContaining('กฤตภาส')])
  await user.keyboard('{Enter}')
  await waitFor(() => expect(field).toHaveValue('ดู https://example.org/a?b=1. ครับ @กฤตภาส วงศ์ '))
  await user.keyboard('{Control>}{Enter}{/Control}')
  const link = await block.findByRole('link', { name: 'https://example.org/a?b=1' })
  expect(link).toHaveAttribute('rel', 'noopener noreferrer')
  expect(field).toHaveValue('')
  expect(sent[0]).toMatchObject([{ action: 'add_note', mentions: [2] }])
})

test('puts a note that failed to send back into the field', async () => {
  answer = async () => Response.json({ non_field_errors: ['ไม่ได้'] }, { status: 400 })
  const { block, user } = await open()
  const field = block.getByRole('textbox', { name: 'เขียนโน้ต' })
  await user.type(field, 'ราคาผู้ผลิต')
  await user.click(block.getByRole('button', { name: 'ส่ง' }))
  await waitFor(() => expect(field).toHaveValue('ราคาผู้ผลิต'))
  await user.clear(field)
})

test('allows pinning but not editing notes of others, and shows who deleted one and when', async () => {
  const note = { text: 'ข้อความ', mentions: [], files: [], is_pinned: false, edited_at: null, deleted_at: null }
  const at = '2026-11-20T02:00:00.000Z'
  detail = {
    ...detail,
    notes: [
      { ...note, id: 'a', author: 2, created_at: at },
      { ...note, id: 'b', author: ME, created_at: at, text: '', deleted_at: at },
    ],
  }
  const { block, user } = await open()
  expect(block.getByText(/ปวีณา ธารเมฆา ลบโน้ตของ 20 พ.ย./)).toBeInTheDocument()
  await user.click(block.getByRole('button', { name: /จัดการโน้ตของ กฤตภาส/ }))
  expect((await screen.findAllByRole('menuitem')).map((item) => item.textContent)).toEqual(['ปักหมุด'])
})

test('distinguishes missing permission and missing data from a failure', async () => {
  status = 403
  const { block } = await open()
  expect(await block.findByText(/ไม่ได้ใช้ส่วนนี้/)).toBeInTheDocument()
  expect(block.queryByRole('button', { name: /ลองใหม่/ })).toBeNull()
})
