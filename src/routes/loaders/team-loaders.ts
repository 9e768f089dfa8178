import type { TeamResultsSearch } from '#contract/team/team-results.ts'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import { pursuitSettingsQuery } from '#src/account/api/pursuit-settings.ts'
import { startQueryInBackground } from '#src/api/http/query-client.ts'
import { getServerTime } from '#src/lib/session-store.ts'
import { calendarQuery } from '#src/team/api/calendars.ts'
import { pursuitListQuery } from '#src/team/api/pursuits.ts'
import { teamResultsQuery } from '#src/team/api/results.ts'
import { getCalendarRangeAround } from '#src/team/pages/calendar/calendar-days.ts'
import type { LoaderContext } from './loader-context.ts'

export function calendarLoader({
  context: { queryClient },
  deps: { day, source },
}: LoaderContext<{ readonly day: string | undefined; readonly source: Readonly<Record<string, string>> }>): void {
  const range = getCalendarRangeAround(day ?? getBangkokToday(getServerTime()))
  startQueryInBackground(queryClient, calendarQuery(range, source))
}

export function boardLoader({
  context: { queryClient },
  deps,
}: LoaderContext<{ readonly query: Readonly<Record<string, string>> }>): void {
  startQueryInBackground(queryClient, pursuitListQuery(deps.query))
  startQueryInBackground(queryClient, pursuitSettingsQuery)
}

export function teamResultsPageLoader({ context: { queryClient }, deps }: LoaderContext<TeamResultsSearch>): void {
  startQueryInBackground(queryClient, teamResultsQuery(deps))
}
