import { expect, test } from 'vitest'
import { MAX_PROJECTS_PER_ACTION } from '#contract/report/project-targets.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { mergeRowSelection, NO_SELECTED_ROWS, toRowSelectionState } from './use-report-selection.ts'

const id = (number: number) => String(69119000000 + number)
const row = (number: number) => ({ project_id: id(number) }) as ReportRow
const rows = [1, 2, 3, 4, 5].map(row)
const choose = (...numbers: number[]) => toRowSelectionState(numbers.map(id))
const many = (count: number, from = 0) => choose(...Array.from({ length: count }, (_, at) => from + at))

test('adds and removes projects, and keeps the others in selection order', () => {
  const three = mergeRowSelection(NO_SELECTED_ROWS, choose(3, 1, 2), rows)
  expect([...three.keys()]).toEqual([id(3), id(1), id(2)])
  expect([...mergeRowSelection(three, choose(2, 3), rows).keys()]).toEqual([id(3), id(2)])
  expect(NO_SELECTED_ROWS.size).toBe(0)
})

test('adds a row that arrives after its id, and keeps known rows', () => {
  const selected = mergeRowSelection(mergeRowSelection(NO_SELECTED_ROWS, choose(1, 2), []), choose(1, 2), [row(1)])
  expect(selected).toEqual(
    new Map([
      [id(1), row(1)],
      [id(2), null],
    ]),
  )
  expect(mergeRowSelection(selected, choose(1, 2, 3), []).get(id(1))).toEqual(row(1))
})

test('selects no more than the limit per action, but still deselects', () => {
  const full = mergeRowSelection(NO_SELECTED_ROWS, many(MAX_PROJECTS_PER_ACTION + 5), [])
  expect(full.size).toBe(MAX_PROJECTS_PER_ACTION)
  const more = mergeRowSelection(full, { ...toRowSelectionState(full.keys()), ...choose(999_999) }, [])
  expect(more).toEqual(full)
  expect(mergeRowSelection(full, many(MAX_PROJECTS_PER_ACTION - 1, 1), []).size).toBe(MAX_PROJECTS_PER_ACTION - 1)
})

test('matches the state of the table', () => {
  expect(toRowSelectionState(mergeRowSelection(NO_SELECTED_ROWS, choose(4, 2), rows).keys())).toEqual(choose(4, 2))
})
