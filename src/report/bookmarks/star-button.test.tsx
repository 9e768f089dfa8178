import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useUser } from '#src/account/api/users.ts'
import { type ChangeNotice, setChangeNoticeListener } from '#src/api/change-notice.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { buildTestUser, startFakeUserApi, stopFakeUserApi } from '#src/report/api/user-api-for-tests.ts'
import { setBookmarks } from './set-bookmarks.ts'
import { StarButton } from './star-button.tsx'

let api: ReturnType<typeof startFakeUserApi>
const news: ChangeNotice[] = []
beforeEach(() => {
  api = startFakeUserApi(buildTestUser({ project_bookmark: ['2'] }))
  news.length = 0
  setChangeNoticeListener((notice) => news.push(notice))
})
afterEach(stopFakeUserApi)

function Row({ id, name }: { id: string; name: string }) {
  return <StarButton projectId={id} name={name} isStarred={useUser().project_bookmark.includes(id)} />
}
function show() {
  render(
    <QueryClientProvider client={queryClient}>
      <Row id="1" name="จ้างก่อสร้างถนน" />
      <Row id="2" name="ซื้อกล้องวงจรปิด" />
    </QueryClientProvider>,
  )
}
const star = (name: string) => screen.getByRole('button', { name: `ติดดาว ${name}` })
const pressed = (button: HTMLElement) => button.getAttribute('aria-pressed')

test('fills synchronously on click', async () => {
  show()
  act(() => star('จ้างก่อสร้างถนน').click())
  expect(pressed(star('จ้างก่อสร้างถนน'))).toBe('true')
  await vi.waitFor(() => expect(api.patches).toHaveLength(1))
  expect(api.patches[0]!.patch).toEqual({ bookmark_action: { action: 'add', project_ids: ['1'] } })
  act(() => api.patches[0]!.accept())
  await act(() => new Promise((resolve) => setTimeout(resolve, 20)))
  expect(pressed(star('จ้างก่อสร้างถนน'))).toBe('true')
  expect(news).toEqual([])
})

test('reverts only its own change when that is not saved', async () => {
  show()
  await userEvent.click(star('จ้างก่อสร้างถนน'))
  await userEvent.click(star('ซื้อกล้องวงจรปิด'))
  await vi.waitFor(() => expect(api.patches).toHaveLength(2))
  act(() => {
    api.patches[0]!.refuse(500)
    api.patches[1]!.accept()
  })
  await vi.waitFor(() => expect(pressed(star('จ้างก่อสร้างถนน'))).toBe('false'))
  expect(pressed(star('ซื้อกล้องวงจรปิด'))).toBe('false')
  expect(news.map(({ text }) => text)).toEqual(['เอาดาวออกแล้ว', 'ติดดาวไม่สำเร็จ'])
})

test('works by keyboard and keeps the focus', async () => {
  show()
  await userEvent.tab()
  await userEvent.keyboard(' ')
  expect(pressed(star('จ้างก่อสร้างถนน'))).toBe('true')
  expect(star('จ้างก่อสร้างถนน')).toHaveFocus()
})

test('stars a selection in one change, reports the count and offers undo', async () => {
  const saved = setBookmarks(['1', '2', '3'], true)
  await vi.waitFor(() => expect(api.patches).toHaveLength(1))
  api.patches[0]!.accept()
  expect(await saved).toBe(true)
  expect(news).toMatchObject([{ kind: 'done', text: 'ติดดาว 3 โครงการแล้ว' }])
  if (news[0]?.kind === 'done') news[0].undo?.()
  await vi.waitFor(() => expect(api.patches).toHaveLength(2))
  expect(api.patches[1]!.patch).toEqual({ bookmark_action: { action: 'remove', project_ids: ['1', '3'] } })
})
