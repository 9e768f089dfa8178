import { expect, test } from 'vitest'
import type { SavedFilter } from '../account/saved-filter.ts'
import { parseReportSearch } from './report-params.ts'
import { toFilterCriteria } from './saved-filter-search.ts'
import { DEFAULT_START_SEARCH, getStartSearchParams } from './start-view.ts'

const filter = (id: string, isStart: boolean): SavedFilter => ({
  id,
  filterName: id,
  isSend: false,
  isStart,
  filterData: toFilterCriteria({ project_name__in: 'ถนน' }),
})

const of = (project_save_filter_profile: SavedFilter[]) => ({ project_save_filter_profile })

test('opens the chosen view of a colleague while it is shared', () => {
  const view = { id: 'c', owner: 2, name: 'c', owner_name: 'กฤตภาส' }
  const { filterData } = filter('c', false)
  const start = (start_team_view: object | null, ownFilters = [filter('a', false)]) =>
    getStartSearchParams({ ...of(ownFilters), start_team_view: start_team_view as never })
  expect(start({ ...view, filterData })).toEqual({ project_name__in: 'ถนน', saved: 'c' })
  expect(start({ ...view, filterData: null })).toEqual(start(null))
  expect(start({ ...view, filterData }, [filter('a', true)])).toEqual({ project_name__in: 'ถนน', saved: 'a' })
})

test('without a chosen filter opens the projects open for bids, nearest deadline first', () => {
  expect(getStartSearchParams(of([filter('a', false)]))).toEqual({
    project_bidding__in: 'open',
    ordering: 'submission_end_date',
  })
  expect(parseReportSearch(getStartSearchParams(of([])))).toEqual({ search: DEFAULT_START_SEARCH, ignored: [] })
})

test('opens the chosen filter and names it as the source', () => {
  expect(getStartSearchParams(of([filter('a', false), filter('b', true)]))).toEqual({
    project_name__in: 'ถนน',
    saved: 'b',
  })
})
