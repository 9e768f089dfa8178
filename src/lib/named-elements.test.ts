import { expect, test } from 'vitest'
import { getNamedElement, nameElement } from './named-elements.ts'

function mount(parent: HTMLElement = document.body) {
  const element = parent.appendChild(document.createElement('input'))
  return { element, unmount: nameElement('search')(element) }
}

test('returns the latest mounted element, and the one before after it unmounts', () => {
  const first = mount()
  const second = mount()
  expect(getNamedElement('search')).toBe(second.element)
  second.unmount?.()
  expect(getNamedElement('search')).toBe(first.element)
  first.unmount?.()
  expect(getNamedElement('search')).toBeUndefined()
})

test('passes over an element behind a dialog', () => {
  const screen = document.body.appendChild(document.createElement('div'))
  const { element } = mount(screen)
  expect(getNamedElement('search')).toBe(element)
  screen.setAttribute('inert', '')
  expect(getNamedElement('search')).toBeUndefined()
})
