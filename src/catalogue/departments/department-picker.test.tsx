import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import type { DepartmentList, DepartmentUnit } from '#contract/catalogue/department.ts'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { DepartmentPicker } from './department-picker.tsx'

const entry = (department: string, unit = '', change: Partial<DepartmentUnit> = {}): DepartmentUnit => ({
  word: unit || department,
  department,
  unit,
  ministry: null,
  province: null,
  units: 0,
  same_name: unit === '' ? 0 : 1,
  open: 10,
  recent: 1,
  ...change,
})
const listOf = (...results: DepartmentUnit[]): DepartmentList => ({ total: results.length, results, ministries: [] })
const ROADS = entry('กรมทางหลวง', '', { units: 2, open: 1234 })
const UNITS = listOf(entry('กรมทางหลวง', 'แขวงทางหลวงเลย'), entry('กรมทางหลวง', 'กองช่าง', { same_name: 7 }))

function setUp(props: Partial<Parameters<typeof DepartmentPicker>[0]> = {}, top = listOf(ROADS, entry('กรมศิลปากร'))) {
  startFakeNetwork(({ query }) => {
    if (query.has('q')) return query.get('q') === 'เลย' ? listOf(UNITS.results[0]!) : listOf()
    if (query.has('department')) return UNITS
    return query.has('ministry') ? listOf(ROADS) : top
  })
  const onAdd = vi.fn<(words: string[]) => Promise<void>>(async () => undefined)
  render(
    <QueryClientProvider client={queryClient}>
      <DepartmentPicker watched={new Set()} remaining={5} onAdd={onAdd} {...props} />
    </QueryClientProvider>,
  )
  return { onAdd }
}
const row = (name: RegExp) => screen.findByRole('treeitem', { name })
const add = (count: number) => userEvent.click(screen.getByRole('button', { name: `เพิ่ม ${count} หน่วยงาน` }))
afterEach(stopFakeNetwork)

test('works by keyboard: down enters the tree, right opens, Enter ticks, left goes back up', async () => {
  const { onAdd } = setUp()
  await row(/กรมทางหลวง/)
  await userEvent.click(screen.getByLabelText('ค้นหาหน่วยงาน'))
  await userEvent.keyboard('{ArrowDown}')
  expect(await row(/กรมทางหลวง/)).toHaveFocus()
  await userEvent.keyboard('{ArrowRight}')
  expect(await row(/แขวงทางหลวงเลย/)).toHaveAttribute('aria-level', '2')
  await userEvent.keyboard('{ArrowRight}{Enter}')
  expect(await row(/แขวงทางหลวงเลย/)).toBeChecked()
  await userEvent.keyboard('{ArrowLeft}')
  expect(await row(/กรมทางหลวง/)).toHaveFocus()
  await userEvent.keyboard('{ArrowLeft}')
  expect(screen.queryByRole('treeitem', { name: /แขวงทางหลวงเลย/ })).toBeNull()
  await userEvent.keyboard('{ArrowUp}')
  expect(screen.getByLabelText('ค้นหาหน่วยงาน')).toHaveFocus()
  await add(1)
  expect(onAdd).toHaveBeenCalledWith(['แขวงทางหลวงเลย'])
})

test('a whole department is one entry and replaces its units', async () => {
  const { onAdd } = setUp()
  await userEvent.click(await row(/กรมทางหลวง/))
  await userEvent.click(await row(/แขวงทางหลวงเลย/))
  await userEvent.click(screen.getByText('เพิ่มทั้งหน่วยงาน'))
  expect(screen.getAllByText('รวมอยู่ในหน่วยงานที่เลือก')).toHaveLength(2)
  await add(1)
  expect(onAdd).toHaveBeenCalledWith(['กรมทางหลวง'])
})

test('watched departments and their units are marked and cannot be ticked', async () => {
  setUp({ watched: new Set(['กรมทางหลวง', 'กรมศิลปากร']) })
  await userEvent.click(await row(/กรมศิลปากร/))
  expect(await row(/^(?=.*กรมศิลปากร).*ติดตามแล้ว/)).toHaveAttribute('aria-disabled', 'true')
  await userEvent.click(await row(/กรมทางหลวง/))
  await userEvent.click(await row(/^(?=.*แขวงทางหลวงเลย).*ติดตามทั้งหน่วยงานแล้ว/))
  expect(screen.queryByRole('button', { name: /^เพิ่ม/ })).toBeNull()
  expect(screen.getByText(/ติ๊กหน่วยงานที่ต้องการ/)).toBeInTheDocument()
})

test('stops ticking at the package limit', async () => {
  setUp({ remaining: 1 }, listOf(entry('กรม ก'), entry('กรม ข')))
  await userEvent.click(await row(/กรม ก/))
  await userEvent.click(await row(/กรม ข/))
  expect(await row(/กรม ข/)).not.toBeChecked()
  expect(screen.getByText('เพิ่มไม่ได้แล้ว แพ็กเกจนี้เพิ่มได้อีก 1 หน่วยงาน')).toBeInTheDocument()
})

test('a search finds units with their department, and marks names that several departments share', async () => {
  setUp()
  await userEvent.type(screen.getByLabelText('ค้นหาหน่วยงาน'), 'เลย')
  expect(await row(/แขวงทางหลวงเลย/)).toHaveTextContent('กรมทางหลวง')
  await userEvent.clear(screen.getByLabelText('ค้นหาหน่วยงาน'))
  await userEvent.click(await row(/กรมทางหลวง/))
  expect(await row(/กองช่าง/)).toHaveTextContent('ชื่อนี้มีใน 7 หน่วยงาน')
  await userEvent.type(screen.getByLabelText('ค้นหาหน่วยงาน'), 'ไม่มี')
  expect(await screen.findByText('ไม่พบหน่วยงานชื่อนี้')).toBeInTheDocument()
})

test('ministries appear above departments when a directory was imported', async () => {
  setUp({}, { ...listOf(ROADS), ministries: [{ name: 'กระทรวงคมนาคม', departments: 1, open: 1234, recent: 5 }] })
  const ministry = await row(/^(?=.*กระทรวงคมนาคม)(?=.*1 หน่วยงาน).*1,234/)
  expect(ministry).not.toHaveAttribute('aria-checked')
  await userEvent.click(ministry)
  expect(await row(/กรมทางหลวง/)).toHaveAttribute('aria-level', '2')
})

test('reports a refusal and keeps the selection', async () => {
  setUp({ onAdd: () => Promise.reject(new Error('no')) })
  await userEvent.click(await row(/กรมศิลปากร/))
  await add(1)
  expect(await screen.findByRole('alert')).toBeInTheDocument()
  expect(await row(/กรมศิลปากร/)).toBeChecked()
})

test('keeps a department that was ticked while others were being added', async () => {
  const request = Promise.withResolvers<void>()
  const onTicked = vi.fn()
  setUp({ onAdd: () => request.promise, onTicked }, listOf(entry('กรมป่าไม้'), entry('กรมศิลปากร')))
  await userEvent.click(await row(/กรมศิลปากร/))
  await add(1)
  await userEvent.click(await row(/กรมป่าไม้/))
  request.resolve()
  await vi.waitFor(() => expect(onTicked).toHaveBeenLastCalledWith(['กรมป่าไม้']))
  expect(await row(/กรมป่าไม้/)).toBeChecked()
})

test('ticking another department during a request neither enables a second one nor hides its failure', async () => {
  const request = Promise.withResolvers<void>()
  const onAdd = vi.fn(() => request.promise)
  setUp({ onAdd })
  await userEvent.click(await row(/กรมศิลปากร/))
  await add(1)
  await userEvent.click(screen.getByRole('button', { name: 'ไม่เลือก กรมศิลปากร' }))
  await userEvent.click(await row(/กรมศิลปากร/))
  await add(1)
  expect(onAdd).toHaveBeenCalledOnce()
  request.reject(new Error('no'))
  expect(await screen.findByRole('alert')).toBeInTheDocument()
})
