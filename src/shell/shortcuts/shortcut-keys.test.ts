import { afterEach, describe, expect, test } from 'vitest'
import { isAnswered, letterOf, type Shortcut, shortcutOf } from './shortcut-keys.ts'

const press = (key: string, code = '', shiftKey = false) => ({ key, code, shiftKey })

describe('what a key asks for', () => {
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
    expect(shortcutOf(press(key, code), true)).toBe(name)
  })

  // Kedmanee: the characters of the same keys on a Thai layout.
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
    expect(shortcutOf(press(key, code), true)).toBe(name)
  })

  test.each([
    ['?', 'Slash'],
    ['?', 'KeyM'],
    ['ฦ', 'Slash'],
  ])('%s (%s) with Shift is help', (key, code) => {
    expect(shortcutOf(press(key, code, true), true)).toBe('help')
  })

  test('another Latin layout goes by the letter, not by the place of the key', () => {
    // Dvorak types j at QWERTY's c.
    expect(shortcutOf(press('j', 'KeyC'), true)).toBe('next')
    expect(shortcutOf(press('é', 'Digit2'), true)).toBeUndefined()
  })

  test('Caps Lock changes nothing, Shift is another key', () => {
    expect(shortcutOf(press('J', 'KeyJ'), true)).toBe('next')
    expect(shortcutOf(press('J', 'KeyJ', true), true)).toBeUndefined()
    expect(letterOf(press('๋', 'KeyJ', true))).toBeUndefined()
  })

  test('switched off, letters and signs are silent and the keys of the row still answer', () => {
    for (const key of ['j', 'b', '/', '?', 'g']) expect(shortcutOf(press(key), false)).toBeUndefined()
    expect(shortcutOf(press('่', 'KeyJ'), false)).toBeUndefined()
    expect(shortcutOf(press(' ', 'Space'), false)).toBe('peek')
    expect(shortcutOf(press('Escape', 'Escape'), false)).toBe('close')
  })

  test('names of objects are no keys', () => {
    expect(shortcutOf(press('constructor'), true)).toBeUndefined()
  })
})

describe('where a key answers', () => {
  afterEach(() => {
    document.body.replaceChildren()
  })

  /** Builds nested elements from `tag[attr=value]` steps and returns the innermost. */
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
  ])('not while typing in %s %o', (tag, attributes) => {
    expect(isAnswered(nest([tag, attributes]), 'next')).toBe(false)
    expect(isAnswered(nest([tag, attributes], ['b']), 'close')).toBe(false)
  })

  test('a box to tick takes no letters', () => {
    const box = nest(['input', { type: 'checkbox' }])
    expect(isAnswered(box, 'next')).toBe(true)
    expect(isAnswered(box, 'peek')).toBe(false)
  })

  test('not behind an open modal', () => {
    nest(['div', { role: 'dialog', 'aria-modal': 'true' }])
    expect(isAnswered(document.body, 'next')).toBe(false)
    expect(isAnswered(document.body, 'close')).toBe(false)
  })

  test('not inside a menu or a popover', () => {
    expect(isAnswered(nest(['div', { role: 'menu' }], ['button']), 'star')).toBe(false)
    expect(isAnswered(nest(['div', { role: 'dialog' }], ['button']), 'star')).toBe(false)
  })

  test('the sheet of one project lets keys through and closes itself', () => {
    const inside = nest(['div', { role: 'dialog', 'aria-modal': 'true' }], ['div', { 'data-answers-keys': '' }], ['p'])
    expect(isAnswered(inside, 'next')).toBe(true)
    expect(isAnswered(inside, 'peek')).toBe(true)
    expect(isAnswered(inside, 'close')).toBe(false)
  })

  test('Space and Enter are ours on a row, and those of the button that has the focus', () => {
    const row = nest(['table'], ['tbody'], ['tr', { 'data-index': '0' }])
    expect(isAnswered(row, 'peek')).toBe(true)
    expect(isAnswered(row, 'open')).toBe(true)
    expect(isAnswered(nest(['table'], ['tbody'], ['tr', { 'data-index': '0' }], ['td'], ['button']), 'open')).toBe(
      false,
    )
    expect(isAnswered(document.body, 'peek')).toBe(false)
  })
})
