import { beforeEach, expect, test, vi } from 'vitest'
import {
  clearRegistrationDraft,
  getFurthestRegistrationStep,
  readRegistrationDraft,
  writeRegistrationDraft,
} from './registration-draft.ts'

beforeEach(() => {
  vi.restoreAllMocks()
  sessionStorage.clear()
  clearRegistrationDraft()
})

test('restores the draft until it is cleared', () => {
  writeRegistrationDraft({ email: 'a@b.co', code: 'c', endsAtMs: 2000, organisation: { phone: '0812345678' } })
  expect(readRegistrationDraft(1000)).toEqual({
    email: 'a@b.co',
    code: 'c',
    endsAtMs: 2000,
    organisation: { phone: '0812345678' },
  })
  clearRegistrationDraft()
  expect(readRegistrationDraft(1000)).toEqual({})
})

test('keeps the input but not the code after sixty minutes', () => {
  writeRegistrationDraft({
    email: 'a@b.co',
    code: 'c',
    endsAtMs: 2000,
    mailedTo: 'a',
    organisation: { phone: '0812345678' },
  })
  expect(readRegistrationDraft(2000)).toEqual({ email: 'a@b.co', organisation: { phone: '0812345678' } })
})

test.each([
  [{}, 1],
  [{ email: 'a@b.co' }, 1],
  [{ code: 'c' }, 2],
  [{ code: 'c', mailedTo: 'a' }, 3],
] as const)('%j continues at step %d', (draft, step) => {
  expect(getFurthestRegistrationStep(draft)).toBe(step)
})

test('starts over with unreadable storage; keeps the draft in memory when storage is blocked', () => {
  sessionStorage.setItem('tamngan.registration', '{')
  expect(readRegistrationDraft()).toEqual({})
  const blocked = () => {
    throw new DOMException('blocked')
  }
  vi.spyOn(Storage.prototype, 'getItem').mockImplementation(blocked)
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(blocked)
  writeRegistrationDraft({ code: 'c' })
  expect(readRegistrationDraft()).toEqual({ code: 'c' })
})
