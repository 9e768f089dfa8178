import type { User } from '../../account/user.ts'
import type { UserPatch } from '../user-patch.ts'

/** The meaning of some fields of `PATCH /users/me`. Each function ignores the fields of other parts. */
export type UserPatchPart = {
  readonly name: 'stars' | 'hidden' | 'labels' | 'filters' | 'notifications' | 'settings'
  readonly fields: readonly (keyof UserPatch)[]
  readonly apply: (user: User, patch: UserPatch) => User
  /** Returns the fields that revert only what `patch` changes; undefined if it changes nothing. */
  readonly invert: (before: User, patch: UserPatch) => UserPatch | undefined
  /** True if applying the patches in reverse order could give another result. Symmetric. */
  readonly conflicts: (a: UserPatch, b: UserPatch) => boolean
}
