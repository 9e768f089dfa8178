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

/** How a role is shown; unknown roles are shown as Member User (specification section 6). */
export function roleLabel(role: string): string {
  return USER_ROLES.find((known) => known.code === role)?.label ?? 'Member User'
}

/** `GET /users/me`, fields as the server names them (specification section 3). Only what the client needs is checked, so a new field never breaks an old tab. */
export const userSchema = z.object({
  id: z.string(),
  first_name: z.nullable(z.string()),
  last_name: z.nullable(z.string()),
  email: z.nullable(z.string()),
  role: z.string(),
  is_send_report_email: z.boolean(),
  is_noti_e_bidding: z.boolean(),
  /** Colleagues who agree too see which projects the user looked at, and the user sees theirs. Undefined: the server is older. */
  shares_looks: z.optional(z.boolean()),
  customize_report_table: z.array(columnSettingSchema),
  project_bookmark: z.array(z.string()),
  /** Ids of the projects that the user has put out of view. */
  project_hidden: z.array(z.string()),
  project_labels: z.array(labelSchema),
  project_label_assignments: z.record(z.string(), z.array(z.string())),
  project_save_filter_profile: z.array(savedFilterSchema),
  /** The colleague's view with which the report opens, in place of one's own; without `filterData` it is shared no more. */
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
  /** The organisation asks for a second factor, and nothing else is open before there is one. */
  second_factor_due: z.optional(z.boolean()),
})
export type User = z.output<typeof userSchema>
