import type { User } from '../account/user.ts'
import type { UserPatch } from './user-patch.ts'
import { bookmarkPatch } from './user-patch-parts/bookmark-patch.ts'
import { hiddenProjectPatch } from './user-patch-parts/hidden-project-patch.ts'
import { labelPatch } from './user-patch-parts/label-patch.ts'
import { notificationPatch } from './user-patch-parts/notification-patch.ts'
import { savedFilterPatch } from './user-patch-parts/saved-filter-patch.ts'
import { settingsPatch } from './user-patch-parts/settings-patch.ts'
import type { UserPatchPart } from './user-patch-parts/user-patch-part.ts'

const PARTS: readonly UserPatchPart[] = [
  settingsPatch,
  bookmarkPatch,
  hiddenProjectPatch,
  labelPatch,
  savedFilterPatch,
  notificationPatch,
]

export const listUserPatchParts = (patch: UserPatch): readonly UserPatchPart['name'][] =>
  PARTS.filter(({ fields }) => fields.some((field) => patch[field] !== undefined)).map(({ name }) => name)

/**
 * Applies a patch to a user. The browser uses it for optimistic updates, and a model test verifies that the server's
 * SQL gives the same result. The server enforces limits and unique names; a patch for a missing item is a no-op.
 */
export const applyUserPatch = (user: User, patch: UserPatch): User =>
  PARTS.reduce((next, part) => part.apply(next, patch), user)

/**
 * Returns a patch that reverts only what `patch` changes (a star that already existed stays), or undefined if `patch`
 * changes nothing.
 */
export function invertUserPatch(before: User, patch: UserPatch): UserPatch | undefined {
  const undo: UserPatch = Object.assign({}, ...PARTS.map((part) => part.invert(before, patch)))
  return Object.keys(undo).length === 0 ? undefined : undo
}

/**
 * True if `later` must wait for the response to `earlier`, because the reverse order would give another result. Changes
 * of different rows run in parallel, so one slow response does not block the rest.
 */
export const shouldUserPatchWaitFor = (later: UserPatch, earlier: UserPatch): boolean =>
  PARTS.some((part) => part.conflicts(later, earlier))
