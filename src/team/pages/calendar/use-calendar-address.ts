import { getRouteApi } from '@tanstack/react-router'
import { type CalendarSearch, formatCalendarSearch } from '#contract/team/calendar.ts'
import { type ChangeSearch, useFlatSearch } from '#src/lib/use-flat-address.ts'
import { readCalendarAddress } from './start-calendar.ts'

const route = getRouteApi('/_app/calendar')

export type CalendarAddressUpdater = ChangeSearch<CalendarSearch>

export const useCalendarAddress = () =>
  useFlatSearch<CalendarSearch>({
    flat: route.useSearch(),
    navigate: route.useNavigate(),
    read: readCalendarAddress,
    print: formatCalendarSearch,
  })
