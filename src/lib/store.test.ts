import { expect, test, vi } from 'vitest'
import { createExternalStore } from './store.ts'

test('notifies a listener of every new value until it is removed', () => {
  const store = createExternalStore('a')
  const [listener, otherListener] = [vi.fn(() => store.get()), vi.fn()]
  const stop = store.subscribe(listener)
  store.subscribe(otherListener)
  store.set('b')
  expect(listener).toHaveReturnedWith('b')
  stop()
  store.set('c')
  expect(store.get()).toBe('c')
  expect(listener).toHaveBeenCalledTimes(1)
  expect(otherListener).toHaveBeenCalledTimes(2)
})
