import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { DoubtfulAmountsNote } from './doubtful-amounts-note.tsx'

test('a total states how many doubtful amounts it leaves out, and nothing if none', () => {
  const textOf = (count: number | undefined) => render(<DoubtfulAmountsNote count={count} />).container.textContent
  expect([textOf(1_234), textOf(0), textOf(undefined)]).toEqual([' · ไม่รวม 1,234 ราคาที่น่าสงสัย', '', ''])
})
