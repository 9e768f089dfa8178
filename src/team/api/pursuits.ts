import { pursuitDetailSchema, pursuitListSchema } from '#contract/team/pursuit.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { pursuitKeys } from '#src/api/http/keys.ts'

const STALE_TIME_MS = 60_000

export const pursuitQuery = (id: string) =>
  apiQueryOptions('pursuits/:id', {
    queryKey: pursuitKeys.detail(id),
    params: { id },
    schema: pursuitDetailSchema,
    staleTime: STALE_TIME_MS,
  })

export const pursuitListQuery = (query: Readonly<Record<string, string>>) =>
  apiQueryOptions('pursuits', {
    queryKey: [...pursuitKeys.lists, query],
    query,
    schema: pursuitListSchema,
    staleTime: STALE_TIME_MS,
  })
