import { applyFollowsPatch, type Follows, type FollowsPatch, followsSchema } from '#contract/report/follow.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { followKeys } from '#src/api/http/keys.ts'
import { defineOptimisticChange, runOptimisticChange } from '#src/api/optimistic-changes.ts'

export const followsQuery = apiQueryOptions('users/me/follows', {
  queryKey: followKeys.mine,
  schema: followsSchema,
  staleTime: 60_000,
})

const followsMutation = defineOptimisticChange<FollowsPatch, Follows>({
  name: 'follows',
  layers: [{ key: followKeys.mine, apply: applyFollowsPatch, settle: (_cached: Follows, response) => response }],
  // Each response contains the complete state, so changes are sent in order.
  scope: 'follows',
  tags: () => ['follows'],
  send: (json, call) => call('users/me/follows', { method: 'patch', json, schema: followsSchema }),
})

export async function updateFollows(patch: FollowsPatch, failed: string): Promise<void> {
  await runOptimisticChange(followsMutation, patch, { message: { failed } }).catch(() => undefined)
}
