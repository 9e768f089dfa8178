import { expect, test } from 'vitest'
import { parseSearchExpressionOrThrow } from '#contract/search/search-grammar.ts'
import { CACHED_PROJECT } from './cached-project-for-tests.ts'
import { TermOccurrenceCache } from './project-cache.ts'
import { ProjectColumns } from './project-columns.ts'

const TITLES = ['ซื้อกล้องวงจรปิด', 'จ้างก่อสร้างถนน', 'ซื้อกล้องถ่ายรูป', 'ซ่อมถนน', 'ซื้อยา', 'จ้างเหมากล้อง']

function createColumns(): ProjectColumns {
  const columns = new ProjectColumns()
  columns.addDepartment({ id: 1, name: 'กอง', sub_name: '', province: 10 })
  for (const [i, title] of TITLES.entries()) putProject(columns, i, title)
  return columns
}

const putProject = (columns: ProjectColumns, number: number, title: string) =>
  columns.put({ ...CACHED_PROJECT, project_id: String(67_000_000_000 + number), name_spaced: title })

const CAMERA = parseSearchExpressionOrThrow('กล้อง')
const ALL_ROWS = Int32Array.from(TITLES.keys())
const FEW_ROWS = Int32Array.of(1, 2, 4)

test('finds in a small report what it finds in all projects', async () => {
  const words = new TermOccurrenceCache(createColumns())
  const inReport = [...(await words.find(CAMERA, ['name'], FEW_ROWS))]
  const inAll = await words.find(CAMERA, ['name'], ALL_ROWS)
  expect(inReport).toEqual(Array.from(FEW_ROWS, (row) => inAll[row]))
  expect(inReport).toEqual([0, 1, 0])
})

test('keeps results of two reports with equally many rows apart', async () => {
  const words = new TermOccurrenceCache(createColumns())
  expect([...(await words.find(CAMERA, ['name'], FEW_ROWS))]).toEqual([0, 1, 0])
  expect([...(await words.find(CAMERA, ['name'], Int32Array.of(0, 3, 5)))]).toEqual([1, 0, 1])
})

test('searches a report again after projects have changed', async () => {
  const columns = createColumns()
  const words = new TermOccurrenceCache(columns)
  expect([...(await words.find(CAMERA, ['name'], FEW_ROWS))]).toEqual([0, 1, 0])
  putProject(columns, 4, 'ซื้อยาและกล้องจุลทรรศน์')
  words.clear()
  expect([...(await words.find(CAMERA, ['name'], FEW_ROWS))]).toEqual([0, 1, 1])
})

test('counts keys of small results in its memory', async () => {
  const words = new TermOccurrenceCache(createColumns())
  for (let i = 0; i < 10; i += 1) await words.find(CAMERA, ['name'], Int32Array.of(1, 2))
  expect(words.usedBytes).toBeGreaterThan(10 * 300)
})
