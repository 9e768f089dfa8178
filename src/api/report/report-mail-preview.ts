import { queryOptions } from '@tanstack/react-query'
import { reportMailPreviewSchema } from '#contract/report/report-mail.ts'
import { request } from '../http/client.ts'
import { reportMailKeys } from '../http/keys.ts'

/** The report mail as it would go out now. Its page can be opened for some minutes only, so an old answer is of no use. */
export const reportMailPreviewQuery = queryOptions({
  queryKey: reportMailKeys.preview,
  queryFn: ({ signal }) => request('users/me/report-mail-preview', { schema: reportMailPreviewSchema, signal }),
  staleTime: 0,
  gcTime: 0,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
})
