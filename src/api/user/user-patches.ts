import { applyUserPatch } from '#contract/user/apply-user-patch.ts'
import { undoOfUserPatch } from '#contract/user/undo-user-patch.ts'
import type { User } from '#contract/user/user.ts'
import type { UserPatch } from '#contract/user/user-patch.ts'
import { tagsOfPatch } from '../cache-tags.ts'
import { userKeys } from '../http/keys.ts'
import { type ChangeMessage, defineChange, mutate } from '../optimistic.ts'
import { mustWaitFor } from './patch-order.ts'

/** A change of the signed-in user, for `useMutation`. The meaning of a patch is in the contract, so the server's answer is empty. */
export const userPatchMutation = (message: ChangeMessage) =>
  defineChange<UserPatch, void>({
    name: 'user',
    layers: [
      {
        key: userKeys.me,
        apply: (user: User, patch) => applyUserPatch(user, patch),
        undo: (before: User, patch) => undoOfUserPatch(before, patch),
      },
    ],
    mustWaitFor,
    tags: tagsOfPatch,
    isResumed: true,
    message,
    send: (patch, call) => call('users/me', { method: 'patch', json: patch, isMinimal: true }),
  })

/**
 * Changes the signed-in user: shown at once, sent as an action, taken back alone when the server refuses. Resolves to whether the
 * server has confirmed it; never rejects.
 */
export function patchUser(patch: UserPatch, message: ChangeMessage): Promise<boolean> {
  return mutate(userPatchMutation(message), patch).then(
    () => true,
    () => false,
  )
}
