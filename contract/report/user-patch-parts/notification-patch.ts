import type { NotificationGroup, NotificationPatch } from '../../account/notification.ts'
import type { UserPatchPart } from './user-patch-part.ts'

/** Read notifications. The inverse lists ids, so notifications that arrived after `read_up_to` stay as they are. */
export const notificationPatch: UserPatchPart = {
  name: 'notifications',
  fields: ['notification_updated_status'],
  apply: (user, { notification_updated_status: patch }) =>
    patch ? { ...user, notification_updated_status: applyToGroup(user.notification_updated_status, patch) } : user,
  invert: ({ notification_updated_status: before }, { notification_updated_status: patch }) => {
    if (!patch) return undefined
    const after = applyToGroup(before, patch)
    const changed = before.notifications.filter(({ read }, index) => after.notifications[index]!.read !== read)
    const undo: NotificationPatch = {
      ...(after.clickRead === before.clickRead ? {} : { clickRead: before.clickRead }),
      ...(changed.length === 0 ? {} : { notifications: changed.map(({ id, read }) => ({ id, read })) }),
    }
    return Object.keys(undo).length === 0 ? undefined : { notification_updated_status: undo }
  },
  // One change may mark all notifications as read.
  conflicts: (a, b) => a.notification_updated_status !== undefined && b.notification_updated_status !== undefined,
}

/** Marking a notification by id takes precedence over `read_up_to`; ids that are not in the list are ignored. */
function applyToGroup(
  { clickRead, notifications }: NotificationGroup,
  { clickRead: nextClickRead = clickRead, notifications: marks = [], read_up_to: upTo = '0' }: NotificationPatch,
): NotificationGroup {
  const readById = new Map(marks.map(({ id, read }) => [Number(id), read]))
  const isRead = ({ id, read }: NotificationGroup['notifications'][number]) =>
    readById.get(Number(id)) ?? (read || Number(id) <= Number(upTo))
  return {
    clickRead: nextClickRead,
    notifications: notifications.map((notification) => ({ ...notification, read: isRead(notification) })),
  }
}
