import { afterEach, expect, test, vi } from 'vitest'
import { clearSetUpDraft, createSetUpDraft, readSetUpDraft, writeSetUpDraft } from './set-up-draft.ts'

afterEach(() => {
  localStorage.clear()
  vi.restoreAllMocks()
})

test('persists one draft per organisation across reloads until it is finished', () => {
  const draft = { ...createSetUpDraft([404]), reached: 3, excludes: ['ซ่อม'] }
  writeSetUpDraft('a', draft)
  expect(readSetUpDraft('a')).toEqual(draft)
  expect(readSetUpDraft('b')).toBeUndefined()
  clearSetUpDraft('a')
  expect(readSetUpDraft('a')).toBeUndefined()
})

test.each(['', 'null', '{"reached":9}', '{"types":"x"}', '[1'])(
  'ignores stored text that is not a draft (%s)',
  (text) => {
    localStorage.setItem('tamngan.set-up.a', text)
    expect(readSetUpDraft('a')).toBeUndefined()
  },
)

test('continues without a draft when storage is unavailable', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  expect(() => writeSetUpDraft('a', createSetUpDraft([]))).not.toThrow()
})
