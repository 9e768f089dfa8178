import type { User } from '#contract/account/user.ts'
import { applyUserPatch, invertUserPatch, shouldUserPatchWaitFor } from '#contract/report/apply-user-patch.ts'
import type { UserPatch } from '#contract/report/user-patch.ts'
import { bookmarkPatch } from '#contract/report/user-patch-parts/bookmark-patch.ts'
import { hiddenProjectPatch } from '#contract/report/user-patch-parts/hidden-project-patch.ts'
import { labelPatch } from '#contract/report/user-patch-parts/label-patch.ts'
import { notificationPatch } from '#contract/report/user-patch-parts/notification-patch.ts'
import { savedFilterPatch } from '#contract/report/user-patch-parts/saved-filter-patch.ts'
import { settingsPatch } from '#contract/report/user-patch-parts/settings-patch.ts'
import type { UserPatchPart } from '#contract/report/user-patch-parts/user-patch-part.ts'
import type { CacheTag } from '#src/api/cache-tags.ts'
import { userKeys } from '#src/api/http/keys.ts'
import { type ChangeResultMessages, defineOptimisticChange, runOptimisticChange } from '#src/api/optimistic-changes.ts'

/** `isMark`: waits for an unreachable server, while forms report at once that nothing was saved. */
const PARTS: readonly (UserPatchPart & { readonly tag: CacheTag; readonly isMark: boolean })[] = [
  { ...bookmarkPatch, tag: 'stars', isMark: true },
  { ...hiddenProjectPatch, tag: 'hidden', isMark: true },
  { ...labelPatch, tag: 'labels', isMark: true },
  { ...notificationPatch, tag: 'settings', isMark: true },
  { ...savedFilterPatch, tag: 'filters', isMark: false },
  { ...settingsPatch, tag: 'settings', isMark: false },
]
const partsOf = (patch: UserPatch) => PARTS.filter(({ fields }) => fields.some((field) => patch[field] !== undefined))

export const userPatchMutation = defineOptimisticChange<UserPatch, void>({
  name: 'user',
  layers: [
    {
      key: userKeys.me,
      apply: (user: User, patch) => applyUserPatch(user, patch),
      undo: (before: User, patch) => invertUserPatch(before, patch),
    },
  ],
  mustWaitFor: shouldUserPatchWaitFor,
  tags: (patch) => [...new Set(partsOf(patch).map(({ tag }) => tag))],
  isResumed: true,
  queuesOffline: true,
  send: (patch, call) => call('users/me', { method: 'patch', json: patch, prefer: 'return=minimal' }),
})

/**
 * Changes the signed-in user optimistically through an action; if the server refuses, rolls back only this change.
 * Resolves to whether the server confirmed it; never rejects.
 */
export function patchUser(patch: UserPatch, message: ChangeResultMessages): Promise<boolean> {
  const queuesOffline = partsOf(patch).every(({ isMark }) => isMark)
  return runOptimisticChange(userPatchMutation, patch, { message, queuesOffline }).then(
    () => true,
    () => false,
  )
}
