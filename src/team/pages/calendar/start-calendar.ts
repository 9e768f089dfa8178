import { calendarQueryOf, parseCalendarSearch } from '#contract/team/calendar.ts'
import { bangkokToday } from '#contract/thai/thai-date.ts'
import { startQuery } from '#src/api/http/query-client.ts'
import { flatSearchOf, memoizeLast, type SearchLocation } from '#src/lib/search-text.ts'
import { serverNow } from '#src/lib/session-store.ts'
import { calendarQuery } from '#src/team/api/calendars.ts'
import { calendarRangeAround } from './calendar-days.ts'

export const readCalendarAddress = memoizeLast(parseCalendarSearch)

export function startCalendar(location: SearchLocation): void {
  const { search } = readCalendarAddress(flatSearchOf(location))
  startQuery(calendarQuery(calendarRangeAround(search.day ?? bangkokToday(serverNow())), calendarQueryOf(search)))
}
