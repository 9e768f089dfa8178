import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DEFAULT_PURSUIT_CHECKLIST, DEFAULT_PURSUIT_STAGES } from '#contract/account/pursuit-settings.ts'
import type { DraftObservations } from '#contract/documents/draft-observation.ts'
import type { ReportRow } from '#contract/report/report.ts'
import type { DraftComment } from '#contract/team/draft-comment.ts'
import { organisationKeys, userKeys } from '#src/api/http/keys.ts'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { startSession } from '#src/lib/session-store.ts'
import { buildTestOrganisation } from '#src/matching/api/organisation-for-tests.ts'
import { buildTestSession, buildTestUser } from '#src/report/api/user-api-for-tests.ts'
import { reportRow } from '../../../test/report-row.ts'
import { DraftCommentCard } from './draft-comment-card.tsx'

const ID = '69119000001'
const TODAY = '2026-11-21'
const SETTINGS = {
  ...{ stages: DEFAULT_PURSUIT_STAGES, template: DEFAULT_PURSUIT_CHECKLIST, price_roles: [], sees_price: false },
  ...{ labels: [], members: [{ id: 1, name: 'ปวีณา ธารเมฆา', is_disabled: false }] },
}
const COMMENT: DraftComment = {
  ...{ id: 7, commented_on: '2026-11-20', text: 'จดหมายฉบับแรก', by: 1 },
  ...{ created_at: '2026-11-20T03:00:00.000Z', withdrawn_at: null },
}
const DRAFT = { movement: 'draft_published', status: 'in_progress', draft_discussion_end_date: '2026-11-25' } as const

let comments: DraftComment[]
let answer: DraftObservations
let network: ReturnType<typeof startFakeNetwork>

beforeEach(() => {
  queryClient.clear()
  comments = []
  answer = { observations: [], read: 0, unread: 0 }
  network = startFakeNetwork(({ path, method }) => {
    if (path === 'pursuits/settings') return SETTINGS
    if (path === `projects/${ID}/draft-observations`) return answer
    if (method === 'POST') comments = [COMMENT]
    if (method === 'DELETE') comments = [{ ...COMMENT, withdrawn_at: '2026-11-21T03:00:00.000Z' }]
    if (path.startsWith(`pursuits/${ID}`))
      return { project_id: ID, pursuit: null, notes: [], history: [], outcome: null, draft_comments: comments }
    return undefined
  })
  startSession(buildTestSession())
  queryClient.setQueryData(userKeys.me, { ...buildTestUser(), id: '1' })
  queryClient.setQueryData(organisationKeys.me, buildTestOrganisation())
})
afterEach(() => {
  vi.unstubAllGlobals()
  stopFakeNetwork()
})

function show(row: Partial<ReportRow> = {}) {
  const root = createRootRoute({
    component: () => <DraftCommentCard row={reportRow({ project_id: ID, ...DRAFT, ...row })} today={TODAY} />,
  })
  const document = createRoute({ getParentRoute: () => root, path: '/report/$id/documents/$doc' })
  const router = createRouter({ routeTree: root.addChildren([document]), history: createMemoryHistory() })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  return userEvent.setup()
}
const card = () => screen.findByRole('region', { name: 'วิจารณ์ร่าง' }, { timeout: 15_000 })
async function openLetter() {
  const user = show()
  await user.click(within(await card()).getByRole('button', { name: 'เขียนจดหมายข้อสังเกต' }))
  const letter = await screen.findByRole<HTMLTextAreaElement>(
    'textbox',
    { name: 'ข้อความในจดหมาย' },
    { timeout: 15_000 },
  )
  return { user, letter }
}

test('warns until when to comment, and shows nothing once the hearing has passed without a letter', async () => {
  show()
  expect(await card()).toHaveTextContent('วิจารณ์ภายใน 25 พ.ย. 2569 มิฉะนั้นอุทธรณ์เรื่องขอบเขตงานไม่ได้')
})

test('a closed hearing without a letter shows no card', async () => {
  show({ draft_discussion_end_date: '2026-11-20', movement: 'invited' })
  await waitFor(() => expect(network.to(`pursuits/${ID}`)).toHaveLength(1))
  expect(screen.queryByRole('region')).toBeNull()
})

test('without readable documents the letter starts empty and says so', async () => {
  const { letter } = await openLetter()
  expect(screen.getByText(/ยังไม่มีร่างที่ระบบอ่านได้ จดหมายจึงเริ่มโดยไม่มีข้อสังเกต/)).toBeVisible()
  expect(letter.value).toContain('ยังไม่มีข้อสังเกต')
})

test('fills in the chosen observations with page and link, keeps edits, and records the letter as sent', async () => {
  const document = { id: 'd1', name: 'TOR.pdf' }
  answer = {
    observations: [
      { kind: 'brand', text: 'ขอให้รับของเทียบเท่า', sentence: 'ยี่ห้อ Canon', page: 4, document },
      { kind: 'delivery', text: 'ขอให้ขยายเวลา', sentence: 'ส่งมอบ 7 วัน', page: 9, document },
    ],
    read: 1,
    unread: 2,
  }
  const { user, letter } = await openLetter()
  expect(screen.getByText(/อีก 2 ไฟล์ระบบอ่านข้อความไม่ได้/)).toBeVisible()
  expect(letter.value).toContain('2. TOR.pdf หน้า 9: “ส่งมอบ 7 วัน”')
  expect(screen.getByRole('link', { name: /TOR.pdf หน้า 4/ })).toHaveAttribute(
    'href',
    `/report/${ID}/documents/d1?page=4`,
  )
  await user.click(screen.getByRole('checkbox', { name: /กำหนดส่งมอบ/ }))
  expect(letter.value).not.toContain('ส่งมอบ 7 วัน')
  await user.type(letter, ' เพิ่มเอง')
  await user.click(screen.getByRole('button', { name: 'บันทึกว่าส่งแล้ว' }))
  await waitFor(() => expect(network.to(`pursuits/${ID}/draft-comments`)).toHaveLength(1))
  const { text } = network.to(`pursuits/${ID}/draft-comments`)[0]!.body as { text: string }
  expect(text).toContain('ยี่ห้อ Canon')
  expect(text.endsWith(' เพิ่มเอง')).toBe(true)
  expect(await screen.findByText(/วิจารณ์แล้วเมื่อ 20 พ.ย. 2569/)).toBeInTheDocument()
})

test('records the typed day, and nothing while it is unreadable', async () => {
  const { user } = await openLetter()
  const day = screen.getByRole('textbox', { name: 'ส่งเมื่อวันที่' })
  const record = screen.getByRole('button', { name: 'บันทึกว่าส่งแล้ว' })
  await user.clear(day)
  await user.type(day, '31/11/2569')
  expect(await screen.findByText(/ไม่มีวันที่ 31/)).toBeVisible()
  expect(record).toBeDisabled()
  await user.type(day, '{Enter}')
  await user.clear(day)
  await user.type(day, '๒๐ พ.ย. ๖๙')
  await waitFor(() => expect(record).toBeEnabled())
  await user.click(record)
  await waitFor(() => expect(network.to(`pursuits/${ID}/draft-comments`)).toHaveLength(1))
  expect(network.to(`pursuits/${ID}/draft-comments`)[0]!.body).toMatchObject({ commented_on: '2026-11-20' })
})

test('a sent letter stays readable, and a mistaken record can be withdrawn', async () => {
  comments = [COMMENT]
  const user = show({ draft_discussion_end_date: '2026-11-20', movement: 'invited' })
  await waitFor(async () => expect(await card()).toHaveTextContent('ส่งเมื่อ 20 พ.ย. 2569 บันทึกโดย ปวีณา ธารเมฆา'))
  expect(await card()).toHaveTextContent('ยังมีสิทธิอุทธรณ์เรื่องขอบเขตงาน')
  expect(screen.queryByRole('button', { name: 'เขียนจดหมายข้อสังเกต' })).toBeNull()
  await user.click(screen.getByText(/ส่งเมื่อ/))
  await user.click(screen.getByRole('button', { name: 'บันทึกผิด ยกเลิก' }))
  await user.click(screen.getByRole('button', { name: 'ยกเลิกบันทึก' }))
  await waitFor(async () => expect(await card()).toHaveTextContent('ยกเลิกบันทึกแล้ว'))
  expect(await card()).toHaveTextContent('มิฉะนั้นอุทธรณ์เรื่องขอบเขตงานไม่ได้')
})
