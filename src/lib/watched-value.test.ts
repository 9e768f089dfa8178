import { expect, test, vi } from 'vitest'
import { watchedValue } from './watched-value.ts'

test('who watches is told of every new value, and no more after stopping', () => {
  const value = watchedValue('a')
  const [mine, theirs] = [vi.fn(() => value.get()), vi.fn()]
  const stop = value.watch(mine)
  value.watch(theirs)
  value.set('b')
  expect(mine).toHaveReturnedWith('b')
  stop()
  value.set('c')
  expect(value.get()).toBe('c')
  expect(mine).toHaveBeenCalledTimes(1)
  expect(theirs).toHaveBeenCalledTimes(2)
})
