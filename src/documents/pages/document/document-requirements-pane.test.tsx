import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import type { ProjectDocument } from '#contract/documents/project-document.ts'
import type { DocumentRequirement } from '#contract/documents/requirement.ts'
import { userKeys } from '#src/api/http/keys.ts'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { buildTestUser } from '#src/report/api/user-api-for-tests.ts'
import { DocumentRequirementsPane } from './document-requirements-pane.tsx'

const DOCUMENT = { id: 'tor', project_id: '1', state: 'read' } as ProjectDocument
const clause = (number: string, answer: DocumentRequirement['answer']): DocumentRequirement => ({
  ...{ kind: 'past_work', number, text: 'ต้องมีผลงานไม่น้อยกว่า ๕ ล้านบาท', page: 4, sentence: 'x' },
  answer,
})
const FOUND = [
  clause('2.1', {
    can: 'yes',
    reason: 'ต้องมีผลงานไม่น้อยกว่า 5,000,000 บาท; ผลงานของเรา: 6.2 ล้าน บาท ปี 2567',
    missing: null,
  }),
  clause('2.2', { can: 'no', reason: 'ISO 9001 หมดอายุ 1 ธ.ค. 2569 ก่อนวันยื่น 2 ธ.ค. 2569', missing: 'certificates' }),
  clause('2.3', { can: 'ask', reason: 'ยังไม่ได้กรอกทุนจดทะเบียนของเรา', missing: 'capital' }),
]

afterEach(stopFakeNetwork)

function show(role: 'super_user' | 'member_user') {
  startFakeNetwork(({ path }) => (path === 'documents/tor/requirements' ? { requirements: FOUND } : undefined))
  queryClient.setQueryData(userKeys.me, buildTestUser({ role }))
  const onPassage = vi.fn()
  const root = createRootRoute({
    component: () => <DocumentRequirementsPane document={DOCUMENT} current={undefined} onPassage={onPassage} />,
  })
  const settings = createRoute({ getParentRoute: () => root, path: '/settings' })
  const router = createRouter({ routeTree: root.addChildren([settings]), history: createMemoryHistory() })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  return onPassage
}

test('each clause shows ได้, ไม่ได้ or ต้องถาม with its reason, a link to missing settings, and its page', async () => {
  const onPassage = show('super_user')
  const [first, second, third] = await screen.findAllByRole('listitem', undefined, { timeout: 10_000 })
  expect(screen.getByText(/จาก 3 ข้อที่พบ: ได้ 1 · ไม่ได้ 1 · ต้องถาม 1/)).toBeInTheDocument()
  expect(first).toHaveTextContent('ได้ต้องมีผลงานไม่น้อยกว่า 5,000,000 บาท; ผลงานของเรา: 6.2 ล้าน บาท ปี 2567')
  expect(within(first!).queryByRole('link')).toBeNull()
  expect(second).toHaveTextContent('ไม่ได้ISO 9001 หมดอายุ')
  const link = within(third!).getByRole('link', { name: 'กรอกคุณสมบัติบริษัท' })
  expect(link).toHaveAttribute('href', '/settings?tab=team&part=qualifications')
  await userEvent.click(within(first!).getByRole('button', { name: /ข้อ 2\.1/ }))
  expect(onPassage).toHaveBeenCalledWith(FOUND[0])
})

test('tells members that a super user can fill it in', async () => {
  show('member_user')
  expect(await screen.findAllByText(/ผู้ดูแลองค์กรกรอกได้ที่ตั้งค่า/, undefined, { timeout: 10_000 })).toHaveLength(2)
  expect(screen.queryByRole('link')).toBeNull()
})
