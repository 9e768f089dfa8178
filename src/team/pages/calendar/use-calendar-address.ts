import { getRouteApi } from '@tanstack/react-router'
import { type CalendarSearch, formatCalendarSearch, parseCalendarSearch } from '#contract/team/calendar.ts'
import { memoizeLastResult } from '#src/lib/flat-search-params.ts'
import { type ChangeSearchFn, useFlatSearchParams } from '#src/lib/use-flat-search-params.ts'

const route = getRouteApi('/_app/calendar')

export const parseCalendarAddress = memoizeLastResult(parseCalendarSearch)

export type CalendarAddressUpdater = ChangeSearchFn<CalendarSearch>

export const useCalendarAddress = () =>
  useFlatSearchParams<CalendarSearch>({
    flat: route.useSearch(),
    navigate: route.useNavigate(),
    read: parseCalendarAddress,
    print: formatCalendarSearch,
  })
