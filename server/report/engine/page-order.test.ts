import { expect, test } from 'vitest'
import { CACHED_PROJECT } from './cached-project-for-tests.ts'
import { createRowOrder, getSortedRowsPage } from './page-order.ts'
import { ProjectColumns, UNKNOWN_DAY_NUMBER } from './project-columns.ts'

/** Returns a generator of deterministic pseudo-random numbers in [0, below). */
function dice(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const ROWS = 12_000
const columns = new ProjectColumns()
columns.addDepartment({ id: 1, name: 'กอง', sub_name: '', province: null })
const roll = dice(7)
const maybe = (value: number, percentKnown: number) => (roll(100) < percentKnown ? value : null)
for (let i = 0; i < ROWS; i += 1) {
  columns.put({
    ...CACHED_PROJECT,
    project_id: String(67_000_000_000 + ((i * 7_919) % ROWS)),
    // Later rows are newer, as they are after real loads, so none of the first rows remains on the page.
    movement_on: 9_000 + Math.floor(i / 100),
    budget_satang: maybe(roll(50) * 1_000 + 0.5, 95),
    estimate_satang: maybe(roll(1_000_000_000), 50),
    // This field has fewer known values than a page has rows.
    draft_published_on: maybe(roll(30) - 15, 1),
  })
}
const all = Int32Array.from({ length: ROWS }, (_, row) => row)
const VALUES = {
  movement: columns.days.movement_date,
  project_budget: columns.money.budget,
  project_estimate_budget: columns.money.estimate_budget,
  draft_published_date: columns.days.draft_published_date,
}

function sorted(field: keyof typeof VALUES, isDescending: boolean): number[] {
  const values = VALUES[field]
  const isKnown = (row: number) => !Number.isNaN(values[row]!) && values[row] !== UNKNOWN_DAY_NUMBER
  return [...all].sort((a, b) => {
    if (isKnown(a) !== isKnown(b)) return isKnown(a) ? -1 : 1
    if (isKnown(a) && values[a] !== values[b]) return values[a]! < values[b]! === isDescending ? 1 : -1
    return columns.keys[a]! - columns.keys[b]!
  })
}

test.each([
  [undefined, 'movement', true],
  ['project_budget', 'project_budget', false],
  ['-project_budget', 'project_budget', true],
  ['project_estimate_budget', 'project_estimate_budget', false],
  ['-project_estimate_budget', 'project_estimate_budget', true],
  ['draft_published_date', 'draft_published_date', false],
  ['-draft_published_date', 'draft_published_date', true],
] as const)(
  'pages ordered by %s match the fully sorted list, at the start and far into it',
  (ordering, field, isDescending) => {
    const expected = sorted(field, isDescending)
    const order = createRowOrder(ordering, { columns, pursued: [] })
    for (const [from, size] of [
      [0, 1],
      [0, 50],
      [100, 100],
      [3_950, 50],
      [3_960, 100],
      [9_000, 100],
      [ROWS - 20, 100],
      [ROWS, 100],
    ] as const)
      expect([...getSortedRowsPage(all, { order, from, size })]).toEqual(expected.slice(from, from + size))
  },
)
