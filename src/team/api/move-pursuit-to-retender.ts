import { sendApiRequest } from '#src/api/http/client.ts'
import { pursuitKeys, userKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'

/** Copies star, labels and card from a cancelled project to its re-announced number. Rejects with `ProblemError`. */
export async function movePursuitToRetender({
  from,
  to,
}: {
  readonly from: string
  readonly to: string
}): Promise<void> {
  await sendApiRequest(`pursuits/${encodeURIComponent(to)}/carry`, { method: 'post', json: { from } })
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: pursuitKeys.all }),
    queryClient.invalidateQueries({ queryKey: userKeys.me }),
  ])
}
