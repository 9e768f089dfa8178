import { expect, test } from 'vitest'
import { resolveMorningQueueKeyPress } from './morning-queue-keys.ts'

const press = (key: string, code = '', more: Partial<KeyboardEvent> = {}) => ({
  ...{ key, code, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, repeat: false, isComposing: false },
  ...more,
})

test('maps letters and digits for the team, on an English and on a Thai layout', () => {
  expect(resolveMorningQueueKeyPress(press('n', 'KeyN'), true)).toBe('note')
  expect(resolveMorningQueueKeyPress(press('ื', 'KeyN'), true)).toBe('note')
  expect(resolveMorningQueueKeyPress(press('o', 'KeyO'), true)).toBe('owner')
  expect(resolveMorningQueueKeyPress(press('p', 'KeyP'), true)).toBe('open')
  expect(resolveMorningQueueKeyPress(press('4', 'Digit4'), true)).toBe('stage 4')
  expect(resolveMorningQueueKeyPress(press('ภ', 'Digit4'), true)).toBe('stage 4')
  expect(resolveMorningQueueKeyPress(press('$', 'Digit4', { shiftKey: true }), true)).toBeUndefined()
  expect(resolveMorningQueueKeyPress(press('0', 'Digit0'), true)).toBeUndefined()
})

test('maps no key while single keys are off, and ignores a held key', () => {
  for (const key of ['n', 'o', '4']) expect(resolveMorningQueueKeyPress(press(key), false)).toBeUndefined()
  expect(resolveMorningQueueKeyPress(press('4', 'Digit4', { repeat: true }), true)).toBeUndefined()
})
