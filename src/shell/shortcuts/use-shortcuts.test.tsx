import { fireEvent, render } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { setSingleKeyShortcutsEnabled } from './shortcut-setting.ts'
import { type ShortcutPress, useShortcuts } from './use-shortcuts.ts'

function Page({ run }: { run: (press: ShortcutPress) => void }) {
  useShortcuts(run)
  return null
}

function setUp() {
  const run = vi.fn<(press: ShortcutPress) => void>()
  render(<Page run={run} />)
  const press = (key: string, more: KeyboardEventInit = {}) => fireEvent.keyDown(document.body, { key, ...more })
  return { press, names: () => run.mock.calls.map(([{ name, letter }]) => (letter ? `${name} ${letter}` : name)) }
}

beforeEach(() => setSingleKeyShortcutsEnabled(true))

test('leaves keys with Ctrl, Command or Alt to the browser', () => {
  const { press, names } = setUp()
  press('c', { ctrlKey: true })
  press('c', { metaKey: true })
  press('c', { altKey: true })
  press('c', { isComposing: true })
  expect(names()).toEqual([])
  press('c')
  expect(names()).toEqual(['line'])
})

test('prevents the default of a handled key, except for Esc', () => {
  const { press } = setUp()
  // `fireEvent` returns false if a listener prevented the default.
  expect(press('/')).toBe(false)
  expect(press('Escape')).toBe(true)
  expect(press('y')).toBe(true)
})

test('repeats navigation for a held key, but not marking', () => {
  const { press, names } = setUp()
  press('j')
  press('j', { repeat: true })
  press('b')
  press('b', { repeat: true })
  expect(names()).toEqual(['next', 'next', 'star'])
})

test('waits after G for the letter of a screen, without running the shortcut of that letter', () => {
  const { press, names } = setUp()
  press('g')
  expect(names()).toEqual([])
  press('b')
  press('b')
  expect(names()).toEqual(['go b', 'star'])
})

test('forgets G when no letter follows', () => {
  const { press, names } = setUp()
  const clock = vi.spyOn(Event.prototype, 'timeStamp', 'get')
  clock.mockReturnValue(1000)
  press('g')
  clock.mockReturnValue(2600)
  press('b')
  clock.mockRestore()
  expect(names()).toEqual(['star'])
})

test('ignores single keys when switched off, and stores that on the device', () => {
  const { press, names } = setUp()
  setSingleKeyShortcutsEnabled(false)
  press('j')
  press('?')
  expect(names()).toEqual([])
  expect(localStorage.getItem('tamngan.shortcuts')).toBe('off')
  setSingleKeyShortcutsEnabled(true)
  press('j')
  expect(names()).toEqual(['next'])
  expect(localStorage.getItem('tamngan.shortcuts')).toBeNull()
})
