import { getRouteApi } from '@tanstack/react-router'
import type { CalendarSearch } from '#contract/team/calendar-params.ts'
import { type ChangeSearchFn, useSearchState } from '#src/lib/use-search-state.ts'

const route = getRouteApi('/_app/calendar')

export type ChangeCalendarSearchFn = ChangeSearchFn<CalendarSearch>

export const useCalendarUrlState = () => useSearchState<CalendarSearch>(route.useSearch(), route.useNavigate())
