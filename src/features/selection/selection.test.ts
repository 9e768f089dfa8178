import { expect, test } from 'vitest'
import { MAX_PROJECTS_PER_ACTION } from '#contract/bookmark.ts'
import type { ReportRow } from '#contract/report.ts'
import { NOTHING_CHOSEN, rowsBetween, withIds, withRows } from './selection.ts'

const row = (id: number) => ({ project_id: String(id) }) as ReportRow
const rows = [1, 2, 3, 4, 5].map(row)
const idsOf = (list: readonly ReportRow[]) => list.map(({ project_id }) => project_id)

test('rows come and go, and the others stay in the order in which they were chosen', () => {
  const three = withRows(NOTHING_CHOSEN, [row(3), row(1), row(2)], true)
  expect([...three.keys()]).toEqual(['3', '1', '2'])
  expect([...withRows(three, [row(1)], false).keys()]).toEqual(['3', '2'])
  expect(NOTHING_CHOSEN.size).toBe(0)
})

test('an id whose row comes later gets it, and an id does not lose its row', () => {
  const known = withRows(withIds(NOTHING_CHOSEN, ['1', '2']), [row(1)], true)
  expect(known).toEqual(
    new Map([
      ['1', row(1)],
      ['2', null],
    ]),
  )
  expect(withIds(known, ['1', '3']).get('1')).toEqual(row(1))
})

test('no more are chosen than one action may name; what is chosen can still go', () => {
  const many = Array.from({ length: MAX_PROJECTS_PER_ACTION + 5 }, (_, id) => String(id))
  const full = withIds(NOTHING_CHOSEN, many)
  expect(full.size).toBe(MAX_PROJECTS_PER_ACTION)
  expect(withRows(full, [row(999_999)], true).size).toBe(MAX_PROJECTS_PER_ACTION)
  expect(withRows(full, [row(0)], false).size).toBe(MAX_PROJECTS_PER_ACTION - 1)
})

test('a range goes both ways and holds both ends', () => {
  expect(idsOf(rowsBetween(rows, '2', row(4)))).toEqual(['2', '3', '4'])
  expect(idsOf(rowsBetween(rows, '4', row(2)))).toEqual(['2', '3', '4'])
})

test('a range from a row of another page is the one row', () => {
  expect(idsOf(rowsBetween(rows, '77', row(4)))).toEqual(['4'])
  expect(idsOf(rowsBetween(rows, undefined, row(4)))).toEqual(['4'])
})
