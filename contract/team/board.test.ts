import { expect, test } from 'vitest'
import { formatBoardSearch, parseBoardSearch, toBoardCardQuery } from './board.ts'

const ADDRESS = { project_name__in: 'กล้อง##วงจรปิด', pursuit_has_notes: 'true', owner: '7', due: '14', fold: 'won' }

test('reads report filters together with board filters and prints the same address', () => {
  const { search, ignored } = parseBoardSearch(ADDRESS)
  expect(search).toEqual({
    report: { project_name__in: 'กล้อง##วงจรปิด', pursuit_has_notes: true },
    owner: ['7'],
    due: '14',
    fold: ['won'],
  })
  expect(ignored).toEqual([])
  expect(formatBoardSearch(search)).toEqual(ADDRESS)
  expect(toBoardCardQuery(search)).toEqual({
    project_name__in: 'กล้อง##วงจรปิด',
    pursuit_has_notes: 'true',
    owner: '7',
    due_within: '14',
  })
})

test('ignores tab, order and page of the report, and reports unreadable filters', () => {
  const { search, ignored } = parseBoardSearch({
    is_archived: 'true',
    ordering: '-project_budget',
    page: '3',
    peek: '1',
  })
  expect(search).toEqual({})
  expect(ignored).toEqual([])
  expect(
    parseBoardSearch({ project_budget__range: 'x', nobody: '1' }).ignored.map(({ name, reason }) => [name, reason]),
  ).toEqual([
    ['nobody', 'unknown'],
    ['project_budget__range', 'invalid'],
  ])
})
