import { afterEach, expect, test, vi } from 'vitest'
import { clearDraft, newDraft, readDraft, writeDraft } from './set-up-draft.ts'

afterEach(() => {
  localStorage.clear()
  vi.restoreAllMocks()
})

test('persists one draft per organisation across reloads until it is finished', () => {
  const draft = { ...newDraft([404]), reached: 3, excludes: ['ซ่อม'] }
  writeDraft('a', draft)
  expect(readDraft('a')).toEqual(draft)
  expect(readDraft('b')).toBeUndefined()
  clearDraft('a')
  expect(readDraft('a')).toBeUndefined()
})

test.each(['', 'null', '{"reached":9}', '{"types":"x"}', '[1'])(
  'ignores stored text that is not a draft (%s)',
  (text) => {
    localStorage.setItem('tamngan.set-up.a', text)
    expect(readDraft('a')).toBeUndefined()
  },
)

test('continues without a draft when storage is unavailable', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  expect(() => writeDraft('a', newDraft([]))).not.toThrow()
})
