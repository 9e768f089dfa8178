import { getRouteApi } from '@tanstack/react-router'
import { type CalendarSearch, printCalendarSearch } from '#contract/team/calendar.ts'
import { type ChangeAddress, useFlatAddress } from '#src/lib/use-flat-address.ts'
import { readCalendarAddress } from './start-calendar.ts'

const route = getRouteApi('/_app/calendar')

export type ChangeCalendar = ChangeAddress<CalendarSearch>

export const useCalendarAddress = () =>
  useFlatAddress<CalendarSearch>({
    flat: route.useSearch(),
    navigate: route.useNavigate(),
    read: readCalendarAddress,
    print: printCalendarSearch,
  })
