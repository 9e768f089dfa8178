import { getRouteApi } from '@tanstack/react-router'
import { type CalendarSearch, formatCalendarSearch, parseCalendarSearch } from '#contract/team/calendar.ts'
import { memoizeLastResult } from '#src/lib/flat-search-params.ts'
import { type ChangeSearchFn, useFlatSearchParams } from '#src/lib/use-flat-search-params.ts'

const route = getRouteApi('/_app/calendar')

export const parseCalendarUrlSearch = memoizeLastResult(parseCalendarSearch)

export type ChangeCalendarSearchFn = ChangeSearchFn<CalendarSearch>

export const useCalendarUrlState = () =>
  useFlatSearchParams<CalendarSearch>({
    flat: route.useSearch(),
    navigate: route.useNavigate(),
    read: parseCalendarUrlSearch,
    print: formatCalendarSearch,
  })
