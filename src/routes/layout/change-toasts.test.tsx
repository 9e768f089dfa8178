import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NetworkError, ProblemError } from '#src/lib/problem-error.ts'
import { endSession, startSession } from '#src/lib/session-store.ts'
import { buildTestSession } from '#src/report/api/user-api-for-tests.ts'
import { clearToasts } from '#src/ui/overlay/toast.ts'
import { ToastRegion } from '#src/ui/overlay/toast-region.tsx'
import { showChangeToast } from './change-toasts.ts'

const refusal = (status: number, body: Record<string, string[]>) =>
  new ProblemError(new Response(null, { status }), body)
const failure = (text: string, error: unknown = new NetworkError('No answer'), retry: () => void = vi.fn()) => ({
  kind: 'failed' as const,
  change: {},
  text,
  error,
  retry,
})
const toastText = () => screen.getByRole('status').textContent
const say = (news: Parameters<typeof showChangeToast>[0]) => act(() => showChangeToast(news))

beforeEach(() => void render(<ToastRegion />))
afterEach(() => act(clearToasts))

test('undoes a completed change', async () => {
  const undo = vi.fn()
  say({ kind: 'done', change: {}, text: 'ซ่อน 1 โครงการแล้ว', undo })
  await userEvent.click(screen.getByRole('button', { name: 'เลิกทำ' }))
  expect(undo).toHaveBeenCalledOnce()
  expect(toastText()).toBe('')
})

test('replaces the success message of a change that failed', () => {
  const change = {}
  say({ kind: 'done', change, text: 'ซ่อน 1 โครงการแล้ว', undo: vi.fn() })
  say({ ...failure('ซ่อน 1 โครงการไม่สำเร็จ'), change })
  expect(toastText()).toBe('ซ่อน 1 โครงการไม่สำเร็จ: เชื่อมต่อระบบไม่ได้ ตรวจสอบอินเทอร์เน็ตแล้วลองใหม่ลองอีกครั้ง')
  expect(screen.queryByText('ซ่อน 1 โครงการแล้ว')).toBeNull()
})

test('merges repeated changes into one message whose button undoes all of them', async () => {
  const undone: number[] = []
  const changes = [{}, {}, {}]
  changes.forEach((change, index) => {
    say({ kind: 'done', change, text: 'เอาดาวออกแล้ว', undo: () => undone.push(index) })
  })
  expect(toastText()).toBe('เอาดาวออกแล้ว (3 ครั้ง)เลิกทำ')
  say({ ...failure('เอาดาวออกไม่สำเร็จ'), change: changes[1]! })
  expect(toastText()).toContain('เอาดาวออกแล้ว (2 ครั้ง)เลิกทำ')
  await userEvent.click(screen.getByRole('button', { name: 'เลิกทำ' }))
  expect(undone).toEqual([2, 0])
  say({ kind: 'done', change: {}, text: 'เอาดาวออกแล้ว', undo: vi.fn() })
  expect(screen.getByText('เอาดาวออกแล้ว')).toBeInTheDocument()
})

test('merges failures into one message whose button retries all of them', async () => {
  const retries = [vi.fn(), vi.fn(), vi.fn(), vi.fn()]
  retries.forEach((retry, index) => {
    say(failure(`ติดดาว ${index} ไม่สำเร็จ`, undefined, retry))
  })
  expect(toastText()).toContain('บันทึกไม่สำเร็จ 4 รายการ')
  await userEvent.click(screen.getByRole('button', { name: 'ลองอีกครั้ง' }))
  for (const retry of retries) expect(retry).toHaveBeenCalledOnce()
  say(failure('ติดดาวไม่สำเร็จ'))
  expect(toastText()).toContain('ติดดาวไม่สำเร็จ: ')
})

test('forgets a closed message', async () => {
  const first = vi.fn()
  say(failure('หนึ่งไม่สำเร็จ', undefined, first))
  await userEvent.click(screen.getByRole('button', { name: 'ปิดข้อความ' }))
  say(failure('สองไม่สำเร็จ'))
  expect(toastText()).toContain('สองไม่สำเร็จ: ')
  await userEvent.click(screen.getByRole('button', { name: 'ลองอีกครั้ง' }))
  expect(first).not.toHaveBeenCalled()
})

test('explains a refusal, also for a field error alone, and offers no retry', () => {
  say(failure('สร้างป้ายไม่สำเร็จ', refusal(400, { project_labels: ['มีป้ายครบ 20 ป้ายแล้ว'] })))
  expect(toastText()).toBe('สร้างป้ายไม่สำเร็จ: มีป้ายครบ 20 ป้ายแล้ว')
})

test('removes undo and retry when another user signs in', () => {
  startSession(buildTestSession('1'))
  say({ kind: 'done', change: {}, text: 'ลบป้าย “ลูกค้า ก” แล้ว', undo: vi.fn() })
  act(() => startSession(buildTestSession('2')))
  expect(toastText()).toBe('')
  endSession('logout')
})
