import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { reportRow } from '../../../test/report-row.ts'
import { copyProjectsForLineChat } from './copy-projects-for-line-chat.ts'

const writeText = vi.fn<(text: string) => Promise<void>>()
const share = vi.fn<(data: ShareData) => Promise<void>>()
const rows = [reportRow({ project_id: '1' })]

function on(pointer: 'fine' | 'coarse') {
  vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: pointer === 'coarse' } as MediaQueryList)
}

beforeEach(() => {
  writeText.mockReset().mockResolvedValue()
  share.mockReset().mockResolvedValue()
  Object.assign(navigator, { clipboard: { writeText }, share })
})
afterEach(() => vi.restoreAllMocks())

test('copies on a desktop even if its browser could share', async () => {
  on('fine')
  await copyProjectsForLineChat(rows)
  expect(writeText.mock.calls[0]?.[0]).toContain('เลขที่โครงการ 1')
  expect(share).not.toHaveBeenCalled()
})

test('opens the share sheet on a phone, and copies nothing when it is closed', async () => {
  on('coarse')
  share.mockRejectedValue(new DOMException('closed', 'AbortError'))
  await copyProjectsForLineChat(rows)
  expect(share).toHaveBeenCalledOnce()
  expect(writeText).not.toHaveBeenCalled()
})

test('falls back to the clipboard when the share sheet fails', async () => {
  on('coarse')
  share.mockRejectedValue(new DOMException('not now', 'NotAllowedError'))
  await copyProjectsForLineChat(rows)
  expect(writeText).toHaveBeenCalledOnce()
})
