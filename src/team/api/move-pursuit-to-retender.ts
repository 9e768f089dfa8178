import { sendApiRequest } from '#src/api/http/client.ts'
import { invalidateAfter } from '#src/api/http/invalidate-after.ts'
import { pursuitKeys, userKeys } from '#src/api/http/keys.ts'

/** Copies star, labels and card from a cancelled project to its re-announced number. Rejects with `ProblemError`. */
export const movePursuitToRetender = ({ from, to }: { readonly from: string; readonly to: string }): Promise<void> =>
  invalidateAfter(
    sendApiRequest(`pursuits/${encodeURIComponent(to)}/carry`, { method: 'post', json: { from } }),
    pursuitKeys.all,
    userKeys.me,
  )
