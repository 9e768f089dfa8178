import { afterEach, describe, expect, test } from 'vitest'
import { canTargetAcceptShortcut, findShortcut, getLatinLetter, type Shortcut } from './shortcut-keys.ts'

const press = (key: string, code = '', shiftKey = false) => ({ key, code, shiftKey })

describe('findShortcut', () => {
  test.each<[string, string, Shortcut]>([
    ['j', 'KeyJ', 'next'],
    ['k', 'KeyK', 'previous'],
    ['b', 'KeyB', 'star'],
    ['l', 'KeyL', 'labels'],
    ['x', 'KeyX', 'hide'],
    ['c', 'KeyC', 'line'],
    ['s', 'KeyS', 'select'],
    ['f', 'KeyF', 'filters'],
    ['g', 'KeyG', 'go'],
    ['/', 'Slash', 'search'],
    [' ', 'Space', 'peek'],
    ['Enter', 'Enter', 'open'],
    ['Escape', 'Escape', 'close'],
  ])('%s (%s) is %s', (key, code, name) => {
    expect(findShortcut(press(key, code), true)).toBe(name)
  })

  // Characters that the same keys produce on Kedmanee, the Thai layout.
  test.each<[string, string, Shortcut]>([
    ['่', 'KeyJ', 'next'],
    ['า', 'KeyK', 'previous'],
    ['ิ', 'KeyB', 'star'],
    ['ส', 'KeyL', 'labels'],
    ['ป', 'KeyX', 'hide'],
    ['แ', 'KeyC', 'line'],
    ['ห', 'KeyS', 'select'],
    ['ด', 'KeyF', 'filters'],
    ['เ', 'KeyG', 'go'],
    ['ฝ', 'Slash', 'search'],
    ['/', 'Digit2', 'search'],
  ])('on a Thai layout %s (%s) is %s', (key, code, name) => {
    expect(findShortcut(press(key, code), true)).toBe(name)
  })

  test.each([
    ['?', 'Slash'],
    ['?', 'KeyM'],
    ['ฦ', 'Slash'],
  ])('%s (%s) with Shift is help', (key, code) => {
    expect(findShortcut(press(key, code, true), true)).toBe('help')
  })

  test('uses the letter and not the key position on another Latin layout', () => {
    // On a Dvorak layout, the key that is c on QWERTY types j.
    expect(findShortcut(press('j', 'KeyC'), true)).toBe('next')
    expect(findShortcut(press('é', 'Digit2'), true)).toBeUndefined()
  })

  test('ignores Caps Lock, but not Shift', () => {
    expect(findShortcut(press('J', 'KeyJ'), true)).toBe('next')
    expect(findShortcut(press('J', 'KeyJ', true), true)).toBeUndefined()
    expect(getLatinLetter(press('๋', 'KeyJ', true))).toBeUndefined()
  })

  test('ignores letters and signs when off, but not the keys of the row', () => {
    for (const key of ['j', 'b', '/', '?', 'g']) expect(findShortcut(press(key), false)).toBeUndefined()
    expect(findShortcut(press('่', 'KeyJ'), false)).toBeUndefined()
    expect(findShortcut(press(' ', 'Space'), false)).toBe('peek')
    expect(findShortcut(press('Escape', 'Escape'), false)).toBe('close')
  })

  test('ignores names of inherited properties', () => {
    expect(findShortcut(press('constructor'), true)).toBeUndefined()
  })
})

describe('isAnswered', () => {
  afterEach(() => {
    document.body.replaceChildren()
  })

  /** Builds nested elements from `tag[attr=value]` steps. Returns the innermost. */
  function nest(...steps: [tag: string, attributes?: Record<string, string>][]): Element {
    let parent: Element = document.body
    for (const [tag, attributes = {}] of steps) {
      const element = document.createElement(tag)
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
      parent.append(element)
      parent = element
    }
    return parent
  }

  test.each([
    ['input', {}],
    ['input', { type: 'search' }],
    ['textarea', {}],
    ['select', {}],
    ['div', { contenteditable: 'true' }],
  ])('is false while typing in %s %o', (tag, attributes) => {
    expect(canTargetAcceptShortcut(nest([tag, attributes]), 'next')).toBe(false)
    expect(canTargetAcceptShortcut(nest([tag, attributes], ['b']), 'close')).toBe(false)
  })

  test('accepts letters in a checkbox, but not Space', () => {
    const box = nest(['input', { type: 'checkbox' }])
    expect(canTargetAcceptShortcut(box, 'next')).toBe(true)
    expect(canTargetAcceptShortcut(box, 'peek')).toBe(false)
  })

  test('is false behind an open modal', () => {
    nest(['div', { role: 'dialog', 'aria-modal': 'true' }])
    expect(canTargetAcceptShortcut(document.body, 'next')).toBe(false)
    expect(canTargetAcceptShortcut(document.body, 'close')).toBe(false)
  })

  test('is false inside a menu or a popover', () => {
    expect(canTargetAcceptShortcut(nest(['div', { role: 'menu' }], ['button']), 'star')).toBe(false)
    expect(canTargetAcceptShortcut(nest(['div', { role: 'dialog' }], ['button']), 'star')).toBe(false)
  })

  test('accepts keys in the sheet of one project, which closes itself', () => {
    const inside = nest(['div', { role: 'dialog', 'aria-modal': 'true' }], ['div', { 'data-answers-keys': '' }], ['p'])
    expect(canTargetAcceptShortcut(inside, 'next')).toBe(true)
    expect(canTargetAcceptShortcut(inside, 'peek')).toBe(true)
    expect(canTargetAcceptShortcut(inside, 'close')).toBe(false)
  })

  test('accepts Space and Enter on a row, but leaves them to a focused button', () => {
    const row = nest(['table'], ['tbody'], ['tr', { 'data-index': '0' }])
    expect(canTargetAcceptShortcut(row, 'peek')).toBe(true)
    expect(canTargetAcceptShortcut(row, 'open')).toBe(true)
    expect(
      canTargetAcceptShortcut(nest(['table'], ['tbody'], ['tr', { 'data-index': '0' }], ['td'], ['button']), 'open'),
    ).toBe(false)
    expect(canTargetAcceptShortcut(document.body, 'peek')).toBe(false)
  })
})
