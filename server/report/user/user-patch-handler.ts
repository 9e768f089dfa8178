import type { UserPatch } from '#contract/report/user-patch.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { UsageActionDescription } from '#server/platform/route/usage-events.ts'

export type UserPatchOwner = { readonly userId: number; readonly maxLabels: number; readonly at: Date }

/** Stores some fields of `PATCH /users/me`, as contract/report/user-patch-parts describes them. */
export type UserPatchHandler = {
  /** Throws for values that demo visitors, who share one account, must not set (C6). */
  readonly assertAllowedInDemo?: (patch: UserPatch) => void
  /** Returns the lines for the usage log. Throws without storing anything if a limit or another row forbids it. */
  readonly apply: (tx: Db, owner: UserPatchOwner, patch: UserPatch) => Promise<readonly UsageActionDescription[]>
}
