import sql from 'sql-template-tag'
import type { UserPatch } from '#contract/report/user-patch.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import { claimIdempotencyKey } from '#server/platform/route/idempotency-keys.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { recordUsageEvents, type UsageActionDescription } from '#server/platform/route/usage-events.ts'
import { notificationHandler } from './patch-notifications.ts'
import { bumpPursuitBoardVersionIfShared, savedFilterHandler } from './patch-saved-filters.ts'
import { labelHandler } from './patch-user-labels.ts'
import { bookmarkHandler, hiddenProjectHandler } from './patch-user-marks.ts'
import { settingsHandler } from './patch-user-settings.ts'
import { findUser, type UserRow } from './queries.ts'
import { throwUserPatchError } from './throw-user-patch-error.ts'
import type { UserPatchHandler } from './user-patch-handler.ts'

const HANDLERS: readonly UserPatchHandler[] = [
  bookmarkHandler,
  hiddenProjectHandler,
  labelHandler,
  savedFilterHandler,
  settingsHandler,
  notificationHandler,
]

/** A patch as received. `project_labels` is accepted only to report that the action is missing. */
export type ReceivedUserPatch = UserPatch & { readonly project_labels?: unknown }

type PatchOptions = {
  readonly at?: Date
  /** If true, the response omits the user, because 5,000 stars alone are 70 kB. */
  readonly isMinimal?: boolean
  readonly key?: string | undefined
}

/**
 * Applies a patch to the signed-in user and returns the updated user, or undefined if `isMinimal`.
 * contract/report/apply-user-patch.ts specifies the semantics as plain code. Runs in one transaction under a lock of
 * the user's row, so parallel tabs are serialised, limits are exact, and a refusal (400, 403) stores nothing (R43-R46).
 *
 * The lists `project_labels` and `project_save_filter_profile` are never stored, because the list of a stale tab would
 * undo the changes of another tab. Next to an action they are ignored, as the specification's client sends them. A body
 * with such a list but without any action is refused, because its sender expects the list to be saved.
 */
export async function patchUser(
  db: Db,
  actor: Pick<Actor, 'userId' | 'isDemo'>,
  patch: ReceivedUserPatch,
  { at = new Date(), isMinimal = false, key }: PatchOptions = {},
): Promise<UserRow | undefined> {
  assertHasChanges(patch)
  assertStorable(patch)
  if (actor.isDemo) for (const { assertAllowedInDemo } of HANDLERS) assertAllowedInDemo?.(patch)
  const { userId } = actor
  return db.transaction(async (tx) => {
    if (patch.filter_action && !actor.isDemo) await bumpPursuitBoardVersionIfShared(tx, userId, patch.filter_action)
    const locked = await lockUserForPatch(tx, userId)
    if (!locked) throw new ProblemError('session_invalid')
    const answer = async () => (isMinimal ? undefined : (await findUser(tx, userId))!)
    if (!(await claimIdempotencyKey(tx, { userId, key, at }))) return await answer()
    const { organisationId, maxLabels } = locked
    const lines: UsageActionDescription[] = []
    for (const handler of HANDLERS) lines.push(...(await handler.apply(tx, { userId, maxLabels, at }, patch)))
    await recordUsageEvents(
      tx,
      lines.map((line) => ({ organisationId, userId, at, ...line })),
    )
    return await answer()
  })
}

function assertHasChanges({ project_labels, project_save_filter_profile, ...changes }: ReceivedUserPatch): void {
  if (Object.values(changes).some((change) => change !== undefined)) return
  if (project_labels !== undefined) throwUserPatchError('project_labels', 'บอกด้วย label_action ว่าให้ทำอะไรกับป้ายกำกับ')
  if (project_save_filter_profile !== undefined)
    throwUserPatchError('project_save_filter_profile', 'บอกด้วย filter_action ว่าให้ทำอะไรกับตัวกรองที่บันทึก')
}

/** Refuses values that PostgreSQL can store neither as text nor as JSON: NUL and lone surrogates. */
function assertStorable(value: unknown): void {
  const isBroken = (text: string) => text.includes('\0') || !text.isWellFormed()
  JSON.stringify(value, (key, item: unknown) => {
    if (isBroken(key) || (typeof item === 'string' && isBroken(item))) throw new ProblemError('bad_input')
    return item
  })
}

/**
 * Locks the user's row until the transaction ends, which serialises patches of parallel tabs. Returns the label limit
 * and the organisation, or undefined if the user does not exist. Not `for update`, which would also block foreign key
 * checks.
 */
async function lockUserForPatch(
  tx: Db,
  userId: number,
): Promise<{ maxLabels: number; organisationId: number } | undefined> {
  const rows = await tx.query<{ maxLabels: number; organisationId: number }>(sql`
    select max_labels as "maxLabels", organisation_id as "organisationId" from users where id = ${userId}::int for no key update`)
  return rows[0]
}
