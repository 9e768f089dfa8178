import { expect, test, vi } from 'vitest'
import { createStore } from './store.ts'

test('a listener hears of every new value until it is removed', () => {
  const store = createStore('a')
  const [mine, theirs] = [vi.fn(() => store.get()), vi.fn()]
  const stop = store.subscribe(mine)
  store.subscribe(theirs)
  store.set('b')
  expect(mine).toHaveReturnedWith('b')
  stop()
  store.set('c')
  expect(store.get()).toBe('c')
  expect(mine).toHaveBeenCalledTimes(1)
  expect(theirs).toHaveBeenCalledTimes(2)
})
