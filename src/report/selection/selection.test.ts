import { expect, test } from 'vitest'
import { MAX_PROJECTS_PER_ACTION } from '#contract/report/bookmark.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { NOTHING_CHOSEN, rowSelectionOf, withRowSelection } from './use-selection.ts'

const id = (number: number) => String(69119000000 + number)
const row = (number: number) => ({ project_id: id(number) }) as ReportRow
const rows = [1, 2, 3, 4, 5].map(row)
const choose = (...numbers: number[]) => rowSelectionOf(numbers.map(id))
const many = (count: number, from = 0) => choose(...Array.from({ length: count }, (_, at) => from + at))

test('projects come and go, and the others stay in the order in which they were chosen', () => {
  const three = withRowSelection(NOTHING_CHOSEN, choose(3, 1, 2), rows)
  expect([...three.keys()]).toEqual([id(3), id(1), id(2)])
  expect([...withRowSelection(three, choose(2, 3), rows).keys()]).toEqual([id(3), id(2)])
  expect(NOTHING_CHOSEN.size).toBe(0)
})

test('an id whose row comes later gets it, and an id does not lose its row', () => {
  const known = withRowSelection(withRowSelection(NOTHING_CHOSEN, choose(1, 2), []), choose(1, 2), [row(1)])
  expect(known).toEqual(
    new Map([
      [id(1), row(1)],
      [id(2), null],
    ]),
  )
  expect(withRowSelection(known, choose(1, 2, 3), []).get(id(1))).toEqual(row(1))
})

test('no more are chosen than one action may name; what is chosen can still go', () => {
  const full = withRowSelection(NOTHING_CHOSEN, many(MAX_PROJECTS_PER_ACTION + 5), [])
  expect(full.size).toBe(MAX_PROJECTS_PER_ACTION)
  const more = withRowSelection(full, { ...rowSelectionOf(full.keys()), ...choose(999_999) }, [])
  expect(more).toEqual(full)
  expect(withRowSelection(full, many(MAX_PROJECTS_PER_ACTION - 1, 1), []).size).toBe(MAX_PROJECTS_PER_ACTION - 1)
})

test('the state of the table says the same', () => {
  expect(rowSelectionOf(withRowSelection(NOTHING_CHOSEN, choose(4, 2), rows).keys())).toEqual(choose(4, 2))
})
