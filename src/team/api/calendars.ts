import { keepPreviousData } from '@tanstack/react-query'
import { calendarSchema } from '#contract/team/calendar.ts'
import { calendarFeedsSchema, createdCalendarFeedSchema, type NewCalendarFeed } from '#contract/team/calendar-feed.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { invalidateAfter } from '#src/api/http/invalidate-after.ts'
import { calendarKeys } from '#src/api/http/keys.ts'

/** `source` selects a saved filter, starred projects etc. (`toCalendarQuery`). */
export const calendarQuery = (
  { from, to }: { readonly from: string; readonly to: string },
  source: Readonly<Record<string, string>>,
) => {
  const query = { ...source, date__range: `${from},${to}` }
  return apiQueryOptions('calendar', {
    queryKey: [...calendarKeys.all, 'of', query],
    query,
    schema: calendarSchema,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
}

const FEEDS = 'calendar-feeds'

export const calendarFeedsQuery = apiQueryOptions('calendar-feeds', {
  queryKey: ['calendar-feeds'],
  schema: calendarFeedsSchema,
  staleTime: 0,
})

const withInvalidation = <Data>(request: Promise<Data>) => invalidateAfter(request, calendarFeedsQuery.queryKey)

export async function createCalendarFeed(json: NewCalendarFeed): Promise<string> {
  const options = { method: 'post', json, schema: createdCalendarFeedSchema } as const
  const { url } = await withInvalidation(sendApiRequest(`${FEEDS}/`, options))
  return url
}

export const revokeCalendarFeed = (id: number) =>
  withInvalidation(sendApiRequest(`${FEEDS}/${id}/`, { method: 'delete' }))
