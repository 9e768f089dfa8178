import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { reportRow } from '../../../test/report-row.ts'
import { copyForLine } from './copy-for-line.ts'

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

test('a desk copies, though its browser could share', async () => {
  on('fine')
  await copyForLine(rows)
  expect(writeText.mock.calls[0]?.[0]).toContain('เลขที่โครงการ 1')
  expect(share).not.toHaveBeenCalled()
})

test('a phone opens its share sheet, and closing that copies nothing', async () => {
  on('coarse')
  share.mockRejectedValue(new DOMException('closed', 'AbortError'))
  await copyForLine(rows)
  expect(share).toHaveBeenCalledOnce()
  expect(writeText).not.toHaveBeenCalled()
})

test('a share sheet that fails leaves the clipboard', async () => {
  on('coarse')
  share.mockRejectedValue(new DOMException('not now', 'NotAllowedError'))
  await copyForLine(rows)
  expect(writeText).toHaveBeenCalledOnce()
})
