import { afterEach, expect, test, vi } from 'vitest'
import {
  createWatchListSetupDraft,
  loadWatchListSetupDraft,
  saveWatchListSetupDraft,
} from './watch-list-setup-draft.ts'

afterEach(() => {
  localStorage.clear()
  vi.restoreAllMocks()
})

test('persists one draft per organisation across reloads until it is finished', () => {
  const draft = { ...createWatchListSetupDraft([404]), reached: 3, excludes: ['ซ่อม'] }
  saveWatchListSetupDraft('a', draft)
  expect(loadWatchListSetupDraft('a')).toEqual(draft)
  expect(loadWatchListSetupDraft('b')).toBeUndefined()
  saveWatchListSetupDraft('a', undefined)
  expect(loadWatchListSetupDraft('a')).toBeUndefined()
})

test.each(['', 'null', '{"reached":9}', '{"types":"x"}', '[1'])(
  'ignores stored text that is not a draft (%s)',
  (text) => {
    localStorage.setItem('tamngan.set-up.a', text)
    expect(loadWatchListSetupDraft('a')).toBeUndefined()
  },
)

test('continues without a draft when storage is unavailable', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  expect(() => saveWatchListSetupDraft('a', createWatchListSetupDraft([]))).not.toThrow()
})
