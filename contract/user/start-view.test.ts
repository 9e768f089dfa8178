import { expect, test } from 'vitest'
import { parseReportSearch } from '../report/report-params.ts'
import { filterDataOf, type SavedFilter } from './saved-filter.ts'
import { OPEN_VIEW, startAddress } from './start-view.ts'

const filter = (id: string, isStart: boolean): SavedFilter => ({
  id,
  filterName: id,
  isSend: false,
  isStart,
  filterData: filterDataOf({ project_name__in: 'ถนน' }),
})

test('without a chosen filter the report opens with what can still be bid for, the nearest deadline first', () => {
  expect(startAddress([filter('a', false)])).toEqual({ project_bidding__in: 'open', ordering: 'submission_end_date' })
  expect(parseReportSearch(startAddress([]))).toEqual({ search: OPEN_VIEW, ignored: [] })
})

test('a chosen filter opens as itself, and says where it comes from', () => {
  expect(startAddress([filter('a', false), filter('b', true)])).toEqual({ project_name__in: 'ถนน', saved: 'b' })
})
