import { calendarQueryOf, parseCalendarSearch } from '#contract/team/calendar.ts'
import { bangkokToday } from '#contract/thai/thai-date.ts'
import { startQuery } from '#src/api/http/query-client.ts'
import { readOnce, type SearchPlace, searchAt } from '#src/lib/search-text.ts'
import { serverNow } from '#src/lib/session-store.ts'
import { calendarQuery } from '#src/team/api/calendars.ts'
import { rangeAround } from './calendar-days.ts'

export const readCalendarAddress = readOnce(parseCalendarSearch)

export function startCalendar(place: SearchPlace): void {
  const { search } = readCalendarAddress(searchAt(place))
  startQuery(calendarQuery(rangeAround(search.day ?? bangkokToday(serverNow())), calendarQueryOf(search)))
}
