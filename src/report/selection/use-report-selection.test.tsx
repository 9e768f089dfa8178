import { act, render, renderHook, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { MAX_PROJECTS_PER_ACTION } from '#contract/report/project-targets.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { clearToasts } from '#src/ui/overlay/toast.ts'
import { ToastRegion } from '#src/ui/overlay/toast-region.tsx'
import { toRowSelectionState, useReportSelection } from './use-report-selection.ts'

const row = (id: number) => ({ project_id: String(69119000000 + id) }) as ReportRow
const rows = [1, 2, 3, 4].map(row)

function setUp() {
  render(<ToastRegion />)
  const hook = renderHook(({ scope }) => useReportSelection(scope, rows), { initialProps: { scope: 'all' } })
  return { ...hook, now: () => hook.result.current, ids: () => [...hook.result.current.ids] }
}
afterEach(() => act(clearToasts))

const all = toRowSelectionState(rows.map(({ project_id }) => project_id))

test('selects and deselects one project, and syncs the table', () => {
  const { now, ids } = setUp()
  act(() => now().onRowSelectionChange(all))
  act(() => now().select(rows[1]!, false))
  expect(ids()).toEqual([rows[0], rows[2], rows[3]].map((row) => row!.project_id))
  expect(Object.keys(now().rowSelection)).toEqual(ids())
  expect(now().chosen.get(rows[2]!.project_id)).toBe(rows[2])
})

test('clears the selection with a notice when filters change, and keeps it for the same', () => {
  const { now, ids, rerender } = setUp()
  act(() => now().onRowSelectionChange(all))
  rerender({ scope: 'all' })
  expect(ids()).toHaveLength(4)
  rerender({ scope: 'new only' })
  expect(ids()).toEqual([])
  expect(screen.getByRole('status')).toHaveTextContent('เลิกเลือก 4 โครงการแล้ว เพราะตัวกรองเปลี่ยน')
})

test('shows no notice on a filter change without a selection', () => {
  const { rerender } = setUp()
  rerender({ scope: 'new only' })
  expect(screen.getByRole('status')).toBeEmptyDOMElement()
})

test('selects on a phone while the mode is on, and leaves the mode with the selection', () => {
  const { now } = setUp()
  act(() => now().toggleSelecting())
  expect(now().isSelecting).toBe(true)
  act(() => now().select(rows[0]!, true))
  act(() => now().clear())
  expect(now().isSelecting).toBe(false)
  expect(now().chosen.size).toBe(0)
})

test('reports that a full selection takes no more', () => {
  const { now } = setUp()
  act(() => now().selectIds(Array.from({ length: MAX_PROJECTS_PER_ACTION + 1 }, (_, id) => String(id))))
  expect(now().chosen.size).toBe(MAX_PROJECTS_PER_ACTION)
  expect(screen.getByRole('status')).toHaveTextContent('เลือกครบ 1,000 โครงการแล้ว')
})
