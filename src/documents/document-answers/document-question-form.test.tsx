import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import type { DocumentAnswer, DocumentAnswerSettings } from '#contract/documents/document-answer.ts'
import { userKeys } from '#src/api/http/keys.ts'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { formatQueryString } from '#src/lib/flat-search-params.ts'
import { buildTestUser } from '#src/report/api/user-api-for-tests.ts'
import { DocumentQuestionCard } from './document-question-form.tsx'

const SETTINGS: DocumentAnswerSettings = {
  state: 'on',
  host: 'models.example',
  model: 'small',
  is_here: false,
  left_today: 9,
}
const PLACE = { document_id: 'tor', document_name: 'TOR.pdf', page: 4 }
const ANSWER: DocumentAnswer = {
  quotations: [
    {
      ...PLACE,
      quote: 'ร้อยละ ๐.๑๐',
      excerpt: { text: '<b>ค่าปรับ</b> ร้อยละ ๐.๑๐ [x](https://evil.example)', marks: [{ from: 15, to: 26 }] },
    },
  ],
  dropped: 2,
  sent: [PLACE, { ...PLACE, page: 5 }],
  page_count: 30,
  left_today: 8,
}

afterEach(() => {
  queryClient.clear()
  stopFakeNetwork()
})

function show(given: Partial<DocumentAnswerSettings>, answer: object | null = ANSWER, role = 'member_user') {
  const onRequest = vi.fn()
  startFakeNetwork(({ path, method, body }) => {
    if (path === 'document-answers' && method === 'GET') return { ...SETTINGS, ...given }
    onRequest(path, body)
    return path === 'document-answers' ? { ...SETTINGS, state: 'on' } : (answer ?? undefined)
  })
  queryClient.setQueryData(userKeys.me, buildTestUser({ role }))
  const root = createRootRoute({ component: () => <DocumentQuestionCard projectId="1" /> })
  const reader = createRoute({ getParentRoute: () => root, path: '/report/$id/documents/$doc' })
  const router = createRouter({
    routeTree: root.addChildren([reader]),
    history: createMemoryHistory(),
    stringifySearch: formatQueryString,
  })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  return { asked: onRequest, router }
}

const field = () => screen.findByLabelText('ถามเกี่ยวกับเอกสารของโครงการนี้', undefined, { timeout: 10_000 })

test('shows quotations as plain text with links to their pages, and counts sent pages and dropped texts', async () => {
  const { asked: onRequest } = show({})
  await userEvent.type(await field(), 'ค่าปรับ{Enter}')
  const link = await screen.findByRole('link', { name: /TOR.pdf หน้า 4/ })
  expect(onRequest).toHaveBeenCalledWith('projects/1/document-answers', { question: 'ค่าปรับ' })
  const address = new URL(link.getAttribute('href')!, 'http://x')
  expect([address.pathname, Object.fromEntries(address.searchParams)]).toEqual([
    '/report/1/documents/tor',
    { page: '4', passage: 'ร้อยละ ๐.๑๐' },
  ])
  expect(link.querySelector('mark')).toHaveTextContent('ร้อยละ ๐.๑๐')
  expect(link).toHaveTextContent('<b>ค่าปรับ</b>')
  expect(screen.getAllByRole('link')).toHaveLength(1)
  expect(screen.getByText(/ตัดออก 2 ข้อความ/)).toBeVisible()
  expect(screen.getByText('ส่งไป 2 จาก 30 หน้า')).toBeVisible()
  expect(screen.getByText(/วันนี้ถามได้อีก 8 ข้อ/)).toBeVisible()
})

test.each([
  [{ page_count: 0, sent: [] }, 'ยังไม่มีเอกสารที่ระบบอ่านข้อความได้'],
  [{ sent: [] }, 'ไม่ได้ส่งอะไรออกไป'],
  [{}, 'ไม่ได้แปลว่าไม่มีในเอกสาร'],
])('explains an answer without quotations: %j', async (over, text) => {
  show({}, { ...ANSWER, quotations: [], ...over })
  await userEvent.type(await field(), 'ค่าปรับ{Enter}')
  expect(await screen.findByText('ไม่พบในเอกสาร')).toBeVisible()
  expect(screen.getByText(new RegExp(text))).toBeVisible()
})

test('cancels a pending question', async () => {
  show({}, null)
  await userEvent.type(await field(), 'ค่าปรับ{Enter}')
  await userEvent.click(await screen.findByRole('button', { name: 'ยกเลิก' }))
  expect(await screen.findByText('ยกเลิกแล้ว')).toBeVisible()
})

test('explains before first use which data goes where; a super user can enable it', async () => {
  const { asked: onRequest } = show({ state: 'off' }, undefined, 'super_user')
  const card = await screen.findByRole('region', { name: 'ถามเอกสาร' }, { timeout: 10_000 })
  expect(card).toHaveTextContent('ไม่เกิน 8 หน้าจากเอกสารของโครงการนั้น รวมไฟล์ที่ทีมเพิ่มเอง ไปยัง models.example (โมเดล small)')
  await userEvent.click(within(card).getByRole('button', { name: 'เปิดให้ทั้งองค์กรใช้' }))
  expect(onRequest).toHaveBeenCalledWith('document-answers', { is_on: true, host: 'models.example', model: 'small' })
  expect(await field()).toBeVisible()
})

test('a member cannot enable it for the organisation', async () => {
  show({ state: 'off' })
  expect(await screen.findByText(/ผู้ดูแลองค์กร \(Super User\) เปิดได้/, undefined, { timeout: 10_000 })).toBeVisible()
  expect(screen.queryByRole('button')).toBeNull()
})

test('is hidden without a model', async () => {
  show({ state: 'unavailable', host: null, model: null })
  await vi.waitFor(() => expect(queryClient.getQueryState(['documents', 'answers'])?.status).toBe('success'), 10_000)
  expect(screen.queryByRole('region')).toBeNull()
})
