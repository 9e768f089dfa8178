import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { calendarSchema } from '#contract/project/calendar.ts'
import { request } from '../http/client.ts'
import { calendarKeys } from '../http/keys.ts'

/** Days, and the saved filter whose projects they are of; without one, of what is starred. */
export type CalendarRange = {
  readonly from: string
  readonly to: string
  readonly saved?: string | undefined
}

/** What falls on these days. The days before stay, dimmed, while others are fetched. */
export const calendarQuery = ({ from, to, saved }: CalendarRange) => {
  const query = { date__range: `${from},${to}`, ...(saved === undefined ? {} : { saved }) }
  return queryOptions({
    queryKey: calendarKeys.of(query),
    queryFn: ({ signal }) => request('calendar', { query, schema: calendarSchema, signal }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
}
