import type { UserPatch } from '#contract/report/user-patch.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import { claimIdempotencyKey } from '#server/platform/route/idempotency-keys.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { recordUsage } from '#server/platform/route/usage-events.ts'
import { describeUserPatch } from './describe-user-patch.ts'
import { patchSavedFilters } from './patch-saved-filters.ts'
import { patchUserLabels } from './patch-user-labels.ts'
import { patchUserProjectMarks } from './patch-user-marks.ts'
import { findUser, type UserRow } from './queries.ts'
import { throwUserPatchError } from './throw-user-patch-error.ts'
import {
  bumpPursuitBoardVersionIfShared,
  findUserLabels,
  lockUserForPatch,
  markNotificationsReadUpTo,
  setMarkReadOnClick,
  updateNotificationReadStates,
  updateUserSettings,
} from './user-patch-queries.ts'

/**
 * Applies the notification part of a patch. Ignores unknown ids, because a notification may have been pruned while a
 * tab was open.
 */
async function patchNotifications(
  tx: Db,
  userId: number,
  { notification_updated_status: group }: UserPatch,
): Promise<void> {
  if (!group) return
  if (group.clickRead !== undefined) await setMarkReadOnClick(tx, userId, group.clickRead)
  if (group.read_up_to !== undefined) await markNotificationsReadUpTo(tx, userId, Number(group.read_up_to))
  if (group.notifications) await updateNotificationReadStates(tx, userId, group.notifications)
}

/** A patch as received. `project_labels` is accepted only to report that the action is missing. */
export type ReceivedUserPatch = UserPatch & { readonly project_labels?: unknown }

type PatchOptions = {
  readonly at?: Date
  /** If true, the response omits the user, because 5,000 stars alone are 70 kB. */
  readonly isMinimal?: boolean
  readonly key?: string | undefined
}

/**
 * JSON characters of the column settings: enough for all 25 columns with long titles. Limited because every `GET
 * /users/me` contains them.
 */
const MAX_COLUMNS_JSON = 20_000

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
  if (actor.isDemo) {
    assertNoTeam(patch)
    assertNoMail(patch)
    assertNoName(patch)
  }
  const { userId } = actor
  return db.transaction(async (tx) => {
    if (patch.filter_action && !actor.isDemo) await bumpPursuitBoardVersionIfShared(tx, userId, patch.filter_action)
    const locked = await lockUserForPatch(tx, userId)
    if (!locked) throw new ProblemError('session_invalid')
    const answer = async () => (isMinimal ? undefined : (await findUser(tx, userId))!)
    if (!(await claimIdempotencyKey(tx, { userId, key, at }))) return await answer()
    const labels = patch.label_action ? await findUserLabels(tx, userId) : []
    await patchSettings(tx, userId, patch, at)
    await patchUserProjectMarks(tx, userId, patch)
    await patchUserLabels(tx, { userId, maxLabels: locked.maxLabels }, patch)
    await patchSavedFilters(tx, userId, patch)
    await patchNotifications(tx, userId, patch)
    const { organisationId } = locked
    const lines = describeUserPatch(patch, new Map(labels.map(({ id, name }) => [id, name])))
    await recordUsage(
      tx,
      lines.map((line) => ({ organisationId, userId, at, ...line })),
    )
    return await answer()
  })
}

async function patchSettings(tx: Db, userId: number, patch: UserPatch, at: Date): Promise<void> {
  const {
    first_name: firstName,
    last_name: lastName,
    is_send_report_email: isSendReportEmail,
    is_noti_e_bidding: isNotiEBidding,
    customize_report_table: columns,
    shares_looks: sharesLooks,
  } = patch
  if ((firstName ?? lastName ?? isSendReportEmail ?? isNotiEBidding ?? columns ?? sharesLooks) === undefined) return
  if (JSON.stringify(columns ?? []).length > MAX_COLUMNS_JSON)
    throwUserPatchError('customize_report_table', 'ชื่อคอลัมน์ยาวเกินไป')
  await updateUserSettings(tx, userId, {
    firstName,
    lastName,
    isSendReportEmail,
    isNotiEBidding,
    columns,
    sharesLooks,
    at,
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

/** Refuses settings that send email, because demo visitors share one account (C6). */
function assertNoMail({ is_send_report_email, is_noti_e_bidding, filter_action: action }: UserPatch): void {
  const switchesFilterOn =
    (action?.action === 'email_toggle' && action.is_send !== false) ||
    (action?.action === 'add' && action.is_send === true)
  if (is_send_report_email !== true && is_noti_e_bidding !== true && !switchesFilterOn) return
  throw new ProblemError('forbidden', { text: 'ช่วงทดลองใช้งานยังไม่ส่งอีเมล เปิดใช้ได้เมื่อมีบัญชีของคุณเอง' })
}

/** Refuses settings that share something with a team, because the demo has no team (C6). */
function assertNoTeam({ filter_action: action, shares_looks: sharesLooks }: UserPatch): void {
  if (sharesLooks) throw new ProblemError('forbidden', { text: 'เปิดได้เมื่อมีบัญชีของคุณเอง' })
  const isShared = (action?.action === 'share' || action?.action === 'add') && action.is_shared === true
  if (isShared) throw new ProblemError('forbidden', { text: 'แบ่งให้ทีมได้เมื่อมีบัญชีของคุณเอง' })
}

/** Refuses a change of name, because demo visitors share one account (C6). */
function assertNoName({ first_name, last_name }: UserPatch): void {
  if ((first_name ?? last_name) !== undefined) throw new ProblemError('forbidden', { text: 'บัญชีทดลองใช้งานเปลี่ยนชื่อไม่ได้' })
}
