import { afterEach, expect, test, vi } from 'vitest'
import { clearDraft, newDraft, readDraft, writeDraft } from './set-up-draft.ts'

afterEach(() => {
  localStorage.clear()
  vi.restoreAllMocks()
})

test('a set-up survives a reload, each organisation with its own, until it is finished', () => {
  const draft = { ...newDraft([404]), reached: 3, excludes: ['ซ่อม'] }
  writeDraft('a', draft)
  expect(readDraft('a')).toEqual(draft)
  expect(readDraft('b')).toBeUndefined()
  clearDraft('a')
  expect(readDraft('a')).toBeUndefined()
})

test.each(['', 'null', '{"reached":9}', '{"types":"x"}', '[1'])(
  'stored text that is no set-up (%s) is none',
  (text) => {
    localStorage.setItem('tamngan.set-up.a', text)
    expect(readDraft('a')).toBeUndefined()
  },
)

test('where storage is refused the set-up goes on without it', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  expect(() => writeDraft('a', newDraft([]))).not.toThrow()
})
