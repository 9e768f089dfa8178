import { pursuitDetailSchema, pursuitListSchema } from '#contract/team/pursuit.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { invalidateAfter } from '#src/api/http/invalidate-after.ts'
import { pursuitKeys, userKeys } from '#src/api/http/keys.ts'

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

/** Copies star, labels and card from a cancelled project to its re-announced number. Rejects with `ProblemError`. */
export const movePursuitToRetender = ({ from, to }: { readonly from: string; readonly to: string }): Promise<void> =>
  invalidateAfter(
    sendApiRequest(`pursuits/${encodeURIComponent(to)}/carry`, { method: 'post', json: { from } }),
    pursuitKeys.all,
    userKeys.me,
  )
