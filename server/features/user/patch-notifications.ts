import type { UserPatch } from '#contract/user-patch.ts'
import type { Db } from '#server/db/db.ts'
import { markNotifications, readNotificationsUpTo, setClickRead } from './queries-notifications.ts'

/**
 * Applies the marks of notifications. Ids that are unknown or another user's change nothing: a notification may have been pruned while a tab
 * was open.
 */
export async function patchNotifications(
  tx: Db,
  userId: number,
  { notification_updated_status: group }: UserPatch,
): Promise<void> {
  if (!group) return
  if (group.clickRead !== undefined) await setClickRead(tx, userId, group.clickRead)
  if (group.read_up_to !== undefined) await readNotificationsUpTo(tx, userId, Number(group.read_up_to))
  if (group.notifications) await markNotifications(tx, userId, group.notifications)
}
