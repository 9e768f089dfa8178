import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { organisationKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { startFakeWatchListApi } from '#src/matching/api/watch-api-for-tests.ts'
import { clearToasts, toastStore } from '#src/ui/overlay/toast.ts'
import { AddExclusionDialog } from './add-exclusion-dialog.tsx'

let api: ReturnType<typeof startFakeWatchListApi>
const onClose = vi.fn()
beforeEach(() => {
  api = startFakeWatchListApi()
  queryClient.setQueryData(organisationKeys.me, api.organisation)
})
afterEach(() => {
  onClose.mockReset()
  clearToasts()
  vi.unstubAllGlobals()
})

async function open() {
  const dialog = () => (
    <AddExclusionDialog row={{ name: 'จ้างซ่อมกล้องวงจรปิด', matched_words: ['กล้อง'] }} start="วงจร" onClose={onClose} />
  )
  const router = createRouter({
    routeTree: createRootRoute({ component: dialog }),
    history: createMemoryHistory(),
  })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  return screen.findByRole('textbox', { name: 'คำไม่รวม' }, { timeout: 10_000 })
}
const button = () => screen.getByRole('button', { name: 'เพิ่มคำไม่รวม' })
const requests = () => api.calls('POST organisations/me')

test('adds the word once and closes', async () => {
  const field = await open()
  await userEvent.clear(field)
  await userEvent.type(field, ' ล้างแอร์ ')
  await userEvent.dblClick(button())
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(requests()).toEqual([{ exclude_keywords: [{ word: 'ล้างแอร์' }] }])
  expect(toastStore.get().map(({ text }) => text)).toEqual([expect.stringContaining('เพิ่มคำไม่รวม “ล้างแอร์” แล้ว')])
})

test('reports a wrong word before sending, and a refusal at the field, which keeps the word', async () => {
  api.answers['POST organisations/me'] = () => Response.json({ non_field_errors: ['รายการเต็มแล้ว'] }, { status: 400 })
  const field = await open()
  await userEvent.clear(field)
  await userEvent.click(button())
  expect(field).toBeInvalid()
  expect(field).toHaveFocus()
  expect(requests()).toEqual([])
  await userEvent.type(field, 'ล้างแอร์{Enter}')
  await waitFor(() => expect(field).toHaveAccessibleDescription(/รายการเต็มแล้ว/))
  expect(field).toHaveValue('ล้างแอร์')
  expect(onClose).not.toHaveBeenCalled()
  await userEvent.type(field, '2')
  expect(field).toBeValid()
})

test('a listed word cannot be added again', async () => {
  const field = await open()
  await userEvent.clear(field)
  await userEvent.type(field, 'ซ่อม{Enter}')
  expect(field).toHaveAccessibleDescription('มีคำนี้ในรายการคำไม่รวมแล้ว')
  expect(button()).toBeDisabled()
  expect(requests()).toEqual([])
})
