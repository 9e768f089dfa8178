import type { User } from '#contract/account/user.ts'
import {
  applyUserPatch,
  invertUserPatch,
  listUserPatchParts,
  shouldUserPatchWaitFor,
} from '#contract/report/apply-user-patch.ts'
import type { UserPatch } from '#contract/report/user-patch.ts'
import { userKeys } from '#src/api/http/keys.ts'
import { type ChangeResultMessages, defineOptimisticChange, runOptimisticChange } from '#src/api/optimistic-changes.ts'

const userPatchMutation = defineOptimisticChange<UserPatch, void>({
  name: 'user',
  layers: [
    {
      key: userKeys.me,
      apply: (user: User, patch) => applyUserPatch(user, patch),
      undo: (before: User, patch) => invertUserPatch(before, patch),
    },
  ],
  mustWaitFor: shouldUserPatchWaitFor,
  tags: listUserPatchParts,
  isResumed: true,
  queuesOffline: true,
  send: (patch, call) => call('users/me', { method: 'patch', json: patch, prefer: 'return=minimal' }),
})

/** Resolves to whether the server confirmed the change; never rejects. A refusal rolls back only this change. */
export function patchUser(patch: UserPatch, message: ChangeResultMessages): Promise<boolean> {
  // Marks wait for an unreachable server, while forms report at once that nothing was saved.
  const queuesOffline = listUserPatchParts(patch).every((part) => part !== 'filters' && part !== 'settings')
  return runOptimisticChange(userPatchMutation, patch, { message, queuesOffline }).then(
    () => true,
    () => false,
  )
}
