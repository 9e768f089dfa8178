import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { endSession, startSession } from '#src/lib/session-store.ts'
import { buildTestSession } from '#src/report/api/user-api-for-tests.ts'
import { clearToasts, toastStore } from '#src/ui/overlay/toast.ts'
import { copyReportLink } from './copy-report-link.ts'

const LONG = window.location.href
const SEARCH: ReportSearch = { check_sme: true, saved: 'f1', page: 3 }

let network: ReturnType<typeof startFakeNetwork>
const written = vi.fn<(text: string) => Promise<void>>(async () => undefined)
const saidLast = () => toastStore.get().at(-1)?.text

beforeEach(() => {
  startSession(buildTestSession('1'))
  network = startFakeNetwork()
  Object.defineProperty(navigator, 'clipboard', { value: { writeText: written }, configurable: true })
})
afterEach(() => {
  stopFakeNetwork()
  endSession('logout')
  clearToasts()
  written.mockClear()
  Reflect.deleteProperty(navigator, 'share')
  vi.restoreAllMocks()
})

test('creates a short link from the filters alone and copies it', async () => {
  const copying = copyReportLink(SEARCH, false)
  await vi.waitFor(() => expect(network.to('short-links')).toHaveLength(1), { timeout: 10_000 })
  const request = network.to('short-links')[0]!
  expect(request.body).toEqual({ search: { check_sme: 'true' } })
  request.answer({ code: '0123456789' })
  await copying
  expect(written).toHaveBeenCalledExactlyOnceWith(`${window.location.origin}/s/0123456789`)
  expect(saidLast()).toBe('คัดลอกลิงก์แล้ว')
})

test('copies the long link without a response, and states it', async () => {
  const copying = copyReportLink(SEARCH, false)
  await vi.waitFor(() => expect(network.to('short-links')).toHaveLength(1), { timeout: 10_000 })
  network.to('short-links')[0]!.lose()
  await copying
  expect(written).toHaveBeenCalledExactlyOnceWith(LONG)
  expect(saidLast()).toMatch(/ลิงก์แบบยาว เพราะตอนนี้สร้างลิงก์สั้นไม่ได้/)
})

test('keeps labels in the long link and sends no request', async () => {
  await copyReportLink({ project_label__in: { values: ['l1'], negated: false } }, true)
  expect(network.asked).toEqual([])
  expect(written).toHaveBeenCalledExactlyOnceWith(LONG)
  expect(saidLast()).toMatch(/ป้ายกำกับ/)
})

test('passes the short link to the share sheet on a phone; closing that is no error', async () => {
  vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: true } as MediaQueryList)
  const share = vi.fn(async () => Promise.reject(new DOMException('closed', 'AbortError')))
  Object.defineProperty(navigator, 'share', { value: share, configurable: true })
  const copying = copyReportLink(SEARCH, false)
  await vi.waitFor(() => expect(network.to('short-links')).toHaveLength(1), { timeout: 10_000 })
  network.to('short-links')[0]!.answer({ code: '0123456789' })
  await copying
  expect(share).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ url: `${window.location.origin}/s/0123456789` }),
  )
  expect(written).not.toHaveBeenCalled()
  expect(saidLast()).toBeUndefined()
})
