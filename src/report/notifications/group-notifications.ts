import { NOTIFICATION_TYPES, type Notification, type NotificationType } from '#contract/account/notification.ts'
import { addDays, formatThaiDateShort, getBangkokToday } from '#contract/thai/thai-date.ts'

/** Tabs of the popover (specification section 2). Finished exports have no tab. */
export const NOTIFICATION_TABS = [
  { value: 'All', label: 'ทั้งหมด' },
  { value: 'Updated', label: 'อัปเดต' },
  { value: 'Discussion_date_end', label: 'ช่วงวิจารณ์' },
  { value: 'Submission_date_end', label: 'วันยื่นข้อเสนอ' },
] as const satisfies readonly { value: 'All' | NotificationType; label: string }[]
export type NotificationTab = (typeof NOTIFICATION_TABS)[number]['value']

/** Returns the tab's notifications, without types unknown to this client version. */
export function filterNotificationsByTab(tab: NotificationTab, notifications: readonly Notification[]): Notification[] {
  return notifications.filter(({ type }) =>
    tab === 'All' ? NOTIFICATION_TYPES.some((knownType) => knownType === type) : type === tab,
  )
}

export const getNotificationDay = ({ date_created }: Pick<Notification, 'date_created'>) =>
  getBangkokToday(new Date(date_created))

export function groupNotificationsByDay(notifications: readonly Notification[], today: string) {
  return [...Map.groupBy(notifications, getNotificationDay)].map(([day, ofDay]) => ({
    day,
    title: day === today ? 'วันนี้' : day === addDays(today, -1) ? 'เมื่อวาน' : formatThaiDateShort(day),
    clusters: [...Map.groupBy(ofDay, (notification) => notification.project_id ?? `export ${notification.id}`)].map(
      ([key, items]) => ({ key, items, projectId: items[0]?.project_id, name: items[0]?.detail ?? '' }),
    ),
  }))
}
