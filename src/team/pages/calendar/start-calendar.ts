import { calendarQueryOf, parseCalendarSearch } from '#contract/team/calendar.ts'
import { bangkokToday } from '#contract/thai/thai-date.ts'
import { startQuery } from '#src/api/http/query-client.ts'
import { memoizeLast, type SearchLocation, searchAt } from '#src/lib/search-text.ts'
import { serverNow } from '#src/lib/session-store.ts'
import { calendarQuery } from '#src/team/api/calendars.ts'
import { rangeAround } from './calendar-days.ts'

export const readCalendarAddress = memoizeLast(parseCalendarSearch)

export function startCalendar(location: SearchLocation): void {
  const { search } = readCalendarAddress(searchAt(location))
  startQuery(calendarQuery(rangeAround(search.day ?? bangkokToday(serverNow())), calendarQueryOf(search)))
}
