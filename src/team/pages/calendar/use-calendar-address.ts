import { getRouteApi } from '@tanstack/react-router'
import { type CalendarSearch, formatCalendarSearch, parseCalendarSearch } from '#contract/team/calendar.ts'
import { memoizeLast } from '#src/lib/search-text.ts'
import { type ChangeSearch, useFlatSearch } from '#src/lib/use-flat-address.ts'

const route = getRouteApi('/_app/calendar')

export const readCalendarAddress = memoizeLast(parseCalendarSearch)

export type CalendarAddressUpdater = ChangeSearch<CalendarSearch>

export const useCalendarAddress = () =>
  useFlatSearch<CalendarSearch>({
    flat: route.useSearch(),
    navigate: route.useNavigate(),
    read: readCalendarAddress,
    print: formatCalendarSearch,
  })
