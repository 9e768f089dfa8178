import { expect, test } from 'vitest'
import type { SavedFilter } from '../account/saved-filter.ts'
import { parseReportSearch } from './report-params.ts'
import { filterDataOf } from './saved-filter-search.ts'
import { OPEN_VIEW, startAddress } from './start-view.ts'

const filter = (id: string, isStart: boolean): SavedFilter => ({
  id,
  filterName: id,
  isSend: false,
  isStart,
  filterData: filterDataOf({ project_name__in: 'ถนน' }),
})

const of = (project_save_filter_profile: SavedFilter[]) => ({ project_save_filter_profile })

test('a colleague’s view that was chosen opens, unless it is shared no more', () => {
  const view = { id: 'c', owner: 2, name: 'c', owner_name: 'กฤตภาส' }
  const { filterData } = filter('c', false)
  const start = (start_team_view: object | null, own = [filter('a', false)]) =>
    startAddress({ ...of(own), start_team_view: start_team_view as never })
  expect(start({ ...view, filterData })).toEqual({ project_name__in: 'ถนน', saved: 'c' })
  expect(start({ ...view, filterData: null })).toEqual(start(null))
  // The user's start filter takes precedence.
  expect(start({ ...view, filterData }, [filter('a', true)])).toEqual({ project_name__in: 'ถนน', saved: 'a' })
})

test('without a chosen filter the report opens with what can still be bid for, the nearest deadline first', () => {
  expect(startAddress(of([filter('a', false)]))).toEqual({
    project_bidding__in: 'open',
    ordering: 'submission_end_date',
  })
  expect(parseReportSearch(startAddress(of([])))).toEqual({ search: OPEN_VIEW, ignored: [] })
})

test('a chosen filter opens as itself, and says where it comes from', () => {
  expect(startAddress(of([filter('a', false), filter('b', true)]))).toEqual({ project_name__in: 'ถนน', saved: 'b' })
})
