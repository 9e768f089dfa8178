import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { afterEach, expect, vi } from 'vitest'

afterEach(cleanup)

// React reports invalid markup only in development and renders it anyway, so a test fails on it.
const INVALID_MARKUP = /cannot be a descendant of|cannot contain a nested|unique "key" prop|non-boolean attribute/
const { error: logError } = console
console.error = (...values: unknown[]) => {
  if (typeof values[0] === 'string' && INVALID_MARKUP.test(values[0])) markupErrors.push(values.join(' '))
  logError(...values)
}
const markupErrors: string[] = []
afterEach(() => expect(markupErrors.splice(0)).toEqual([]))

configure({
  // Six workers and the compiler share two cores (scripts/test.ts), so an element may take longer to appear than the default limit of one second.
  asyncUtilTimeout: 10_000,
  // The default prints the document with each error, also while `vi.waitFor` retries: 6 % of the time of all tests.
  getElementError: (message) => new Error(message ?? undefined),
})
const { waitFor } = vi
vi.waitFor = (callback, options) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout: 10_000, ...options })

// A Node channel reaches all threads of the process, so a test would refetch after a star of the file beside it.
const windowId = crypto.randomUUID()
globalThis.BroadcastChannel = class extends BroadcastChannel {
  constructor(name: string) {
    super(`${name}.${windowId}`)
  }
}

// jsdom has no layout, so it has no sizes to observe and cannot scroll.
class NoResizes implements ResizeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}
globalThis.ResizeObserver ??= NoResizes
Element.prototype.getAnimations ??= () => []
window.scrollTo = () => undefined
// Media queries describe a wide screen in light mode without accessibility preferences; tests override this as needed.
window.matchMedia ??= (media: string) =>
  ({
    matches: false,
    media,
    onchange: null,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }) as unknown as MediaQueryList
