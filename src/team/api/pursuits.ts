import { queryOptions } from '@tanstack/react-query'
import { pursuitDetailSchema, pursuitListSchema } from '#contract/team/pursuit.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { pursuitKeys } from '#src/api/http/keys.ts'

const FRESH_MS = 60_000

export const pursuitQuery = (id: string) =>
  queryOptions({
    queryKey: pursuitKeys.detail(id),
    queryFn: ({ signal }) =>
      sendApiRequest(`pursuits/${encodeURIComponent(id)}`, { schema: pursuitDetailSchema, signal }),
    staleTime: FRESH_MS,
  })

export const pursuitListQuery = (query: Readonly<Record<string, string>>) =>
  queryOptions({
    queryKey: pursuitKeys.list(query),
    queryFn: ({ signal }) => sendApiRequest('pursuits', { query, schema: pursuitListSchema, signal }),
    staleTime: FRESH_MS,
  })
