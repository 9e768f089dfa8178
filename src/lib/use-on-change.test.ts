import { renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useOnChange } from './use-on-change.ts'

test('runs once per value, with the latest handler, and cleans up before the next run', () => {
  const log: string[] = []
  const { rerender, unmount } = renderHook(
    ({ value, name }) =>
      useOnChange(value, (latest) => {
        log.push(`${name} ${latest}`)
        return () => void log.push(`undo ${name} ${latest}`)
      }),
    { initialProps: { value: 1, name: 'a' } },
  )
  rerender({ value: 1, name: 'b' })
  expect(log).toEqual(['a 1'])
  rerender({ value: 2, name: 'c' })
  unmount()
  expect(log).toEqual(['a 1', 'undo a 1', 'c 2', 'undo c 2'])
})
