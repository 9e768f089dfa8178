import type { Notification } from '#contract/account/notification.ts'

export function buildTestNotification(change: Partial<Notification> = {}): Notification {
  return {
    id: '1',
    read: false,
    type: 'Updated',
    detail: 'ซื้อกล้องวงจรปิด',
    project_id: '69119000001',
    date_created: '2026-11-21T02:00:00.000Z',
    due_date: null,
    outdated: false,
    changes: [],
    export_id: null,
    ...change,
  }
}
