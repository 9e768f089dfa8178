import { expect, test } from 'vitest'
import { withReactKeys } from './with-react-keys.ts'

test('keys repeated texts by occurrence', () => {
  expect(withReactKeys(['a', 'b', 'a'], String)).toEqual([
    { key: '0 a', item: 'a' },
    { key: '0 b', item: 'b' },
    { key: '1 a', item: 'a' },
  ])
})

test('keys are unique although a text looks like a key', () => {
  const keys = withReactKeys(['a', 'a', '0 a', '1 a', ''], String).map(({ key }) => key)
  expect(new Set(keys).size).toBe(5)
})
