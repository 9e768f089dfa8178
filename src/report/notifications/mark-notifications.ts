import type { Notification } from '#contract/account/notification.ts'
import { patchUser } from '#src/report/api/user-patches.ts'

export function markNotificationRead({ id, read: isRead }: Pick<Notification, 'id' | 'read'>): void {
  if (isRead) return
  void patchUser(
    { notification_updated_status: { notifications: [{ id, read: true }] } },
    { failed: 'ทำเครื่องหมายว่าอ่านแล้วไม่สำเร็จ' },
  )
}

/** Marks notifications as read up to the newest listed one; later arrivals stay unread. */
export function markAllNotificationsRead(notifications: readonly Pick<Notification, 'id'>[]): void {
  const newest = findNewestNotificationId(notifications)
  if (newest === undefined) return
  void patchUser({ notification_updated_status: { read_up_to: newest } }, { failed: 'ทำเครื่องหมายว่าอ่านทั้งหมดไม่สำเร็จ' })
}

export function clearUnreadNotificationDot(): void {
  void patchUser({ notification_updated_status: { clickRead: false } }, { failed: 'เอาจุดแดงที่กระดิ่งออกไม่สำเร็จ' })
}

/** Returns the largest id, because ids are increasing numbers (contract/account/notification.ts). */
export function findNewestNotificationId(notifications: readonly Pick<Notification, 'id'>[]): string | undefined {
  return notifications.reduce<string | undefined>(
    (newest, { id }) => (newest === undefined || Number(id) > Number(newest) ? id : newest),
    undefined,
  )
}
