import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Organisation } from '#contract/account/organisation.ts'
import {
  applySavedQuestionsPatch,
  MAX_SAVED_QUESTIONS,
  type SavedQuestions as Saved,
  type SavedQuestion,
  type SavedQuestionsPatch,
} from '#contract/market/saved-question.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { DEMO_ORGANISATION_CODE } from '#contract/reserved-organisations.ts'
import { setChangeNoticeListener } from '#src/api/change-notice.ts'
import { organisationKeys, userKeys } from '#src/api/http/keys.ts'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { endSession, startSession } from '#src/lib/session-store.ts'
import { buildTestSession, buildTestUser } from '#src/report/api/user-api-for-tests.ts'
import { showChangeToast } from '#src/routes/layout/change-toasts.ts'
import { ToastRegion } from '#src/ui/overlay/toast-region.tsx'
import { SavedQuestions } from './saved-questions.tsx'

vi.setConfig({ testTimeout: 30_000 })
const LOADING = { timeout: 15_000 }
const question = (over: Partial<SavedQuestion> = {}): SavedQuestion => ({
  ...{ id: 'q1', name: 'กล้อง', address: { project_name__in: 'กล้อง' }, monthly: true, on_change: false },
  ...{ problem: null, is_wide: false },
  ...over,
})
const NOTHING: Saved = { questions: [], bell: true, mail: true }

let stored: Saved
let isRefusing = false
let network: ReturnType<typeof startFakeNetwork>
const onOpen = vi.fn()
const onClose = vi.fn()

beforeEach(() => {
  stored = NOTHING
  isRefusing = false
  network = startFakeNetwork(({ method, path, body }) => {
    if (path !== 'users/me/questions') return {}
    if (method !== 'PATCH') return stored
    if (isRefusing) return undefined
    stored = applySavedQuestionsPatch(stored, body as SavedQuestionsPatch)
    return stored
  })
  startSession(buildTestSession())
  queryClient.setQueryData(userKeys.me, buildTestUser())
  setChangeNoticeListener(showChangeToast)
})
afterEach(() => {
  endSession('logout')
  stopFakeNetwork()
  vi.clearAllMocks()
})

async function open(saved: Saved, search: ReportSearch = { market: true }, code = 'acme') {
  stored = saved
  queryClient.setQueryData(organisationKeys.me, { code } as unknown as Organisation)
  render(
    <QueryClientProvider client={queryClient}>
      <SavedQuestions search={search} onOpen={onOpen} onClose={onClose} />
      <ToastRegion />
    </QueryClientProvider>,
  )
  return await screen.findByRole('dialog', { name: 'คำถามที่บันทึก' }, LOADING)
}
const sent = () => network.asked.filter(({ method }) => method === 'PATCH').map(({ body }) => body)
const byName = (name: string) => screen.findByRole('button', { name }, LOADING)

test('saves the current question under a typed name and then shows that name', async () => {
  const panel = await open(NOTHING, { market: true, rank: 'wins', page: 2, project_name__in: 'กล้อง' })
  const name = await within(panel).findByRole('textbox', { name: 'ชื่อคำถาม' }, LOADING)
  expect(name).toHaveValue('กล้อง')
  await userEvent.clear(name)
  await userEvent.type(name, 'กล้องทั้งตลาด{Enter}')
  expect(await byName('กล้องทั้งตลาด')).toBeVisible()
  await within(panel).findByText('บันทึกไว้แล้วในชื่อ “กล้องทั้งตลาด”')
  expect(within(panel).getByRole('region', { name: 'คำถามปัจจุบัน' })).toHaveFocus()
  await waitFor(() =>
    expect(sent()).toEqual([
      {
        add: {
          id: expect.stringContaining('กล้องทั้งตลาด-'),
          name: 'กล้องทั้งตลาด',
          address: { project_name__in: 'กล้อง', market: 'true', rank: 'wins' },
          monthly: true,
          on_change: true,
        },
      },
    ]),
  )
})

test('renames, reconfigures, opens, deletes and restores a question by keyboard alone', async () => {
  const panel = await open({ ...NOTHING, questions: [question(), question({ id: 'q2', name: 'ถนน' })] })
  ;(await byName('เปลี่ยนชื่อ กล้อง')).focus()
  await userEvent.keyboard('{Enter}')
  expect(await within(panel).findByRole('textbox', { name: 'ชื่อใหม่' })).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.getByRole('button', { name: 'เปลี่ยนชื่อ กล้อง' })).toHaveFocus())
  expect(onClose).not.toHaveBeenCalled()
  await userEvent.keyboard('{Enter}ถนน{Enter}')
  expect(within(panel).getByText('มีคำถามชื่อนี้แล้ว ตั้งชื่ออื่น')).toBeVisible()
  await userEvent.keyboard('{Control>}a{/Control}กล้องวงจรปิด{Enter}')
  await waitFor(() => expect(screen.getByRole('button', { name: 'เปลี่ยนชื่อ กล้องวงจรปิด' })).toHaveFocus())

  screen.getByRole('checkbox', { name: /^เมื่อเปลี่ยน ?กล้องวงจรปิด$/ }).focus()
  await userEvent.keyboard(' ')
  ;(await byName('กล้องวงจรปิด')).focus()
  await userEvent.keyboard('{Enter}')
  expect(onOpen).toHaveBeenCalledExactlyOnceWith({ project_name__in: 'กล้อง' })

  ;(await byName('ลบ กล้องวงจรปิด')).focus()
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(screen.queryByRole('button', { name: 'กล้องวงจรปิด' })).toBeNull())
  expect(screen.getByRole('list', { name: 'บันทึกไว้แล้ว' })).toHaveFocus()
  await userEvent.keyboard('{Control>}z{/Control}')
  expect(await byName('กล้องวงจรปิด')).toBeVisible()
  await waitFor(() =>
    expect(sent().slice(1)).toEqual([
      { change: { id: 'q1', on_change: true } },
      { remove: { id: 'q1' } },
      {
        add: {
          id: 'q1',
          name: 'กล้องวงจรปิด',
          address: { project_name__in: 'กล้อง' },
          monthly: true,
          on_change: true,
        },
      },
    ]),
  )
})

test('rolls back a change that the server refuses and shows the reason', async () => {
  await open({ ...NOTHING, questions: [question()] })
  isRefusing = true
  await userEvent.click(await byName('ลบ กล้อง'))
  await waitFor(() => expect(sent()).toHaveLength(1))
  network.asked.at(-1)!.answer({ non_field_errors: ['ลบไม่ได้'] }, 400)
  expect(await byName('กล้อง')).toBeVisible()
  expect(await screen.findByText(/ลบคำถาม “กล้อง” ไม่สำเร็จ/)).toBeVisible()
})

test('explains and resumes a stopped question, and switches mail for all questions', async () => {
  const panel = await open({ ...NOTHING, questions: [question({ problem: 'refused' })] })
  expect(await within(panel).findByText(/หยุดแจ้งแล้ว ตัวกรองของคำถามนี้ใช้ไม่ได้แล้ว/)).toBeVisible()
  await userEvent.click(within(panel).getByRole('button', { name: /^แจ้งต่อ/ }))
  await waitFor(() => expect(within(panel).queryByText(/หยุดแจ้งแล้ว/)).toBeNull())
  await userEvent.click(within(panel).getByRole('switch', { name: /ทางอีเมล/ }))
  await waitFor(() => expect(sent()).toEqual([{ change: { id: 'q1', again: true } }, { mail: false }]))
})

test('offers no saving beyond the limit', async () => {
  const questions = Array.from({ length: MAX_SAVED_QUESTIONS }, (_, at) =>
    question({ id: `q${at}`, name: `คำถาม ${at}` }),
  )
  const panel = await open({ ...NOTHING, questions })
  expect(await within(panel).findByText(/บันทึกครบ 20 คำถามแล้ว/)).toBeVisible()
  expect(within(panel).queryByRole('textbox')).toBeNull()
})

test('stores nothing in demo mode and explains why', async () => {
  const panel = await open(NOTHING, {}, DEMO_ORGANISATION_CODE)
  expect(panel).toHaveTextContent('โหมดทดลองใช้งานบันทึกคำถามไม่ได้')
  expect(network.to('users/me/questions')).toEqual([])
})
