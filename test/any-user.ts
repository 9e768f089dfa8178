import type { User } from '#contract/account/user.ts'

/** Returns a user without marks; `over` overrides fields. */
export function plainUser(over: Partial<User> = {}): User {
  return {
    id: '1',
    first_name: 'ปวีณา',
    last_name: 'ธารเมฆา',
    email: 'manager@tharamek.example',
    role: 'super_user',
    is_send_report_email: true,
    is_noti_e_bidding: false,
    is_send_coverage_email: true,
    customize_report_table: [],
    project_bookmark: [],
    project_hidden: [],
    project_labels: [],
    project_label_assignments: {},
    project_save_filter_profile: [],
    notification_updated_status: { clickRead: false, notifications: [] },
    is_access_budget_year: null,
    label_metadata: { maxLabels: 20, currentCount: 0, canCreateMore: true, remainingSlots: 20 },
    ...over,
  }
}
