import { expect, test } from 'vitest'
import { type KeyPressInterpreter, resolveMorningQueueKeyPress } from './morning-queue-keys.ts'

const keys = (single: boolean): KeyPressInterpreter => ({
  shortcutOf: () => undefined,
  letterOf: ({ key, code }) => (/^[a-z]$/.test(key) ? key : /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase()),
  single: () => single,
})
const press = (key: string, code = '', more: Partial<KeyboardEvent> = {}) => ({
  ...{ key, code, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, repeat: false, isComposing: false },
  ...more,
})

test('maps letters and digits for the team, on an English and on a Thai layout', () => {
  expect(resolveMorningQueueKeyPress(press('n', 'KeyN'), keys(true))).toBe('note')
  expect(resolveMorningQueueKeyPress(press('ื', 'KeyN'), keys(true))).toBe('note')
  expect(resolveMorningQueueKeyPress(press('o', 'KeyO'), keys(true))).toBe('owner')
  expect(resolveMorningQueueKeyPress(press('p', 'KeyP'), keys(true))).toBe('open')
  expect(resolveMorningQueueKeyPress(press('4', 'Digit4'), keys(true))).toBe('stage 4')
  expect(resolveMorningQueueKeyPress(press('ภ', 'Digit4'), keys(true))).toBe('stage 4')
  expect(resolveMorningQueueKeyPress(press('$', 'Digit4', { shiftKey: true }), keys(true))).toBeUndefined()
  expect(resolveMorningQueueKeyPress(press('0', 'Digit0'), keys(true))).toBeUndefined()
})

test('maps no key while single keys are off, and ignores a held key', () => {
  for (const key of ['n', 'o', '4']) expect(resolveMorningQueueKeyPress(press(key), keys(false))).toBeUndefined()
  expect(resolveMorningQueueKeyPress(press('4', 'Digit4', { repeat: true }), keys(true))).toBeUndefined()
})
