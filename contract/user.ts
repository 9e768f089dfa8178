import { z } from 'zod/mini'

export const USER_ROLES = [
  { code: 'member_user', label: 'Member User' },
  { code: 'super_user', label: 'Super User' },
] as const
export type UserRole = (typeof USER_ROLES)[number]['code']

/** How a role is shown; unknown roles are shown as Member User (specification section 6). */
export function roleLabel(role: string): string {
  return USER_ROLES.find((known) => known.code === role)?.label ?? 'Member User'
}

export const columnSettingSchema = z.object({
  id: z.string(),
  field: z.string(),
  title: z.string(),
  showHideColumn: z.boolean(),
  currentPosition: z.number(),
  defaultPosition: z.number(),
})
export type ColumnSetting = z.output<typeof columnSettingSchema>

export const labelSchema = z.object({ id: z.string(), name: z.string(), color: z.string() })
export type Label = z.output<typeof labelSchema>

export const savedFilterSummarySchema = z.object({ id: z.string(), filterName: z.string(), isSend: z.boolean() })

/** `GET /users/me`, fields as the server names them (specification section 3). Only what the client needs is checked, so a new field never breaks an old tab. */
export const userSchema = z.object({
  id: z.string(),
  first_name: z.nullable(z.string()),
  last_name: z.nullable(z.string()),
  email: z.nullable(z.string()),
  role: z.string(),
  is_send_report_email: z.boolean(),
  is_noti_e_bidding: z.boolean(),
  customize_report_table: z.array(columnSettingSchema),
  project_bookmark: z.array(z.string()),
  project_labels: z.array(labelSchema),
  project_label_assignments: z.record(z.string(), z.array(z.string())),
  project_save_filter_profile: z.array(savedFilterSummarySchema),
  notification_updated_status: z.object({ clickRead: z.boolean(), notifications: z.array(z.unknown()) }),
  is_access_budget_year: z.nullable(z.boolean()),
  label_metadata: z.object({
    maxLabels: z.number(),
    currentCount: z.number(),
    canCreateMore: z.boolean(),
    remainingSlots: z.number(),
  }),
})
export type User = z.output<typeof userSchema>
