import type { TeamResultsSearch } from '#contract/team/team-results.ts'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import { pursuitSettingsQuery } from '#src/account/api/pursuit-settings.ts'
import { getServerTime } from '#src/lib/session-store.ts'
import { calendarQuery } from '#src/team/api/calendars.ts'
import { pursuitListQuery } from '#src/team/api/pursuits.ts'
import { teamResultsQuery } from '#src/team/api/results.ts'
import { getCalendarRangeAround } from '#src/team/pages/calendar/calendar-days.ts'
import type { LoaderContext } from '../lazy-loader.ts'

type Texts = Readonly<Record<string, string>>

export const calendarLoader = ({
  deps: { day, source },
}: LoaderContext<{ readonly day: string | undefined; readonly source: Texts }>) => [
  calendarQuery(getCalendarRangeAround(day ?? getBangkokToday(getServerTime())), source),
]

export const boardLoader = ({ deps }: LoaderContext<{ readonly query: Texts }>) => [
  pursuitListQuery(deps.query),
  pursuitSettingsQuery,
]

export const teamResultsPageLoader = ({ deps }: LoaderContext<TeamResultsSearch>) => [teamResultsQuery(deps)]
