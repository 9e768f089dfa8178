import { parseCalendarSearch } from '#contract/project/calendar.ts'
import { bangkokToday } from '#contract/thai/thai-date.ts'
import { startQuery } from '#src/api/http/query-client.ts'
import { calendarQuery } from '#src/api/report/calendars.ts'
import { readOnce, type SearchPlace, searchAt } from '#src/lib/search-text.ts'
import { serverNow } from '#src/lib/session-store.ts'
import { rangeAround } from './calendar-days.ts'

/** View, day, kinds and saved filter. */
export const readCalendarAddress = readOnce(parseCalendarSearch)

export function startCalendar(place: SearchPlace): void {
  const { day = bangkokToday(serverNow()), of, saved } = readCalendarAddress(searchAt(place)).search
  startQuery(calendarQuery({ ...rangeAround(day), of, saved }))
}
