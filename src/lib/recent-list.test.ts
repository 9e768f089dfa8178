import { beforeEach, expect, test, vi } from 'vitest'
import { createRecentList } from './recent-list.ts'
import { endSession, startSession, toSession } from './session-store.ts'

const encode = (value: object) => btoa(JSON.stringify(value)).replaceAll('=', '')
const logIn = (sub: string) => {
  const iat = Math.floor(Date.now() / 1000)
  const access = `${encode({ alg: 'HS256' })}.${encode({ sub, org: '3', iat, exp: iat + 1800 })}.signature`
  startSession(toSession({ access }, false)!)
}

const words = createRecentList<string>('test.words', {
  isItem: (value) => typeof value === 'string',
  isSame: (a, b) => a.toLowerCase() === b.toLowerCase(),
})

beforeEach(() => localStorage.clear())

test('keeps the six newest, each once, newest first', () => {
  for (const word of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'D']) words.remember(word)
  expect(words.read()).toEqual(['D', 'g', 'f', 'e', 'c', 'b'])
})

test('keeps a list per user, and clears all of them at once', () => {
  logIn('7')
  words.remember('seven')
  logIn('8')
  expect(words.read()).toEqual([])
  words.remember('eight')
  logIn('7')
  expect(words.read()).toEqual(['seven'])
  localStorage.setItem('test.wordsmith', 'another list')
  words.forgetAll()
  expect(words.read()).toEqual([])
  logIn('8')
  expect(words.read()).toEqual([])
  endSession('logout')
  expect(localStorage.getItem('test.wordsmith')).toBe('another list')
})

test('skips invalid items and lists; a full storage drops the list without an error', () => {
  words.remember('a')
  const [key] = Object.keys(localStorage)
  localStorage.setItem(key!, JSON.stringify(['a', 1, null, 'b']))
  expect(words.read()).toEqual(['a', 'b'])
  localStorage.setItem(key!, '{')
  expect(words.read()).toEqual([])
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  words.remember('c')
  full.mockRestore()
  expect(words.read()).toEqual([])
})
