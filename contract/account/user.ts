import { z } from 'zod/mini'
import { columnSettingSchema } from '../catalogue/column.ts'
import { labelMetadataSchema, labelSchema } from './label.ts'
import { notificationGroupSchema } from './notification.ts'
import { savedFilterSchema } from './saved-filter.ts'

export const USER_ROLES = [
  { code: 'member_user', label: 'Member User' },
  { code: 'super_user', label: 'Super User' },
] as const
export type UserRole = (typeof USER_ROLES)[number]['code']

/** Shows unknown roles as Member User (specification section 6). */
export function getRoleLabel(role: string): string {
  return USER_ROLES.find((userRole) => userRole.code === role)?.label ?? 'Member User'
}

/**
 * `GET /users/me`, with the server's field names (specification section 3). Validates only what the client needs, so a
 * new field never breaks an open tab.
 */
export const userSchema = z.object({
  id: z.string(),
  first_name: z.nullable(z.string()),
  last_name: z.nullable(z.string()),
  email: z.nullable(z.string()),
  role: z.string(),
  is_send_report_email: z.boolean(),
  is_noti_e_bidding: z.boolean(),
  /** Undefined if the server is older than this field. */
  is_send_coverage_email: z.optional(z.boolean()),
  /**
   * True if the user has opted in to share viewed projects with colleagues who also opted in. Undefined if the server
   * is older than this field.
   */
  shares_looks: z.optional(z.boolean()),
  customize_report_table: z.array(columnSettingSchema),
  project_bookmark: z.array(z.string()),
  project_hidden: z.array(z.string()),
  project_labels: z.array(labelSchema),
  project_label_assignments: z.record(z.string(), z.array(z.string())),
  project_save_filter_profile: z.array(savedFilterSchema),
  /**
   * A colleague's team view that opens the report instead of the user's own start filter; null `filterData` means that
   * the view is no longer shared.
   */
  start_team_view: z.optional(
    z.nullable(
      z.object({
        id: z.string(),
        owner: z.number(),
        name: z.string(),
        owner_name: z.string(),
        filterData: z.nullable(savedFilterSchema.shape.filterData),
      }),
    ),
  ),
  notification_updated_status: notificationGroupSchema,
  is_access_budget_year: z.nullable(z.boolean()),
  label_metadata: labelMetadataSchema,
  second_factor_due: z.optional(z.boolean()),
})
export type User = z.output<typeof userSchema>
