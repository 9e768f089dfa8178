import { afterEach, expect, test, vi } from 'vitest'
import { saveBlobAsFile } from './save-blob-as-file.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('revokes the object URL one minute after the download started', () => {
  vi.useFakeTimers()
  const given = vi.fn(() => 'blob:file')
  const revoked = vi.fn()
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: given, revokeObjectURL: revoked }))
  const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    expect([this.href, this.download]).toEqual(['blob:file', 'รายการ.csv'])
  })
  const file = new Blob(['ก'])
  saveBlobAsFile(file, 'รายการ.csv')
  expect(given).toHaveBeenCalledWith(file)
  expect(clicked).toHaveBeenCalledOnce()
  vi.advanceTimersByTime(59_000)
  expect(revoked).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1_000)
  expect(revoked).toHaveBeenCalledWith('blob:file')
})
