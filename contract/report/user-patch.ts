import { z } from 'zod/mini'
import { filterCriteriaSchema } from '../account/filter-criteria.ts'
import { clientGeneratedIdSchema } from '../account/label.ts'
import { isLabelColor } from '../account/label-palette.ts'
import { labelNameSchema, savedFilterNameSchema } from '../account/mark-name.ts'
import { notificationPatchSchema } from '../account/notification.ts'
import { firstNameSchema, lastNameSchema } from '../account/person-name.ts'
import { COLUMN_WIDTH_LIMITS_PX, columnSettingSchema } from '../catalogue/column.ts'
import { REPORT_COLUMNS } from '../catalogue/report-columns.ts'
import { groupDigits } from '../thai/thai-number.ts'
import { MAX_MARKED_PROJECTS, MAX_PROJECTS_PER_ACTION } from './project-targets.ts'

/**
 * Body of `PATCH /users/me` (specification section 7). Stars, labels and other marks are changed by actions that set an
 * end state, so stale lists in parallel tabs lose nothing, the last item can be removed, and a repeat is harmless
 * (R43-R46).
 */

/** Same pattern as the report's `project_id__in`. */
const projectIdSchema = z.string().check(z.regex(/^[0-9A-Za-z-]{1,32}$/, 'เลขที่โครงการไม่ถูกต้อง'))
const projectTargetsUpTo = (maxIds: number) => ({
  project_id: z.optional(projectIdSchema),
  project_ids: z.optional(
    z.array(projectIdSchema).check(z.maxLength(maxIds, `ทำได้ครั้งละไม่เกิน ${groupDigits(maxIds)} โครงการ`)),
  ),
})
const projectTargets = projectTargetsUpTo(MAX_PROJECTS_PER_ACTION)

const bookmarkActionSchema = z.object({ action: z.enum(['add', 'remove']), ...projectTargets })
export type BookmarkAction = z.output<typeof bookmarkActionSchema>

const hideActionSchema = z.object({ action: z.enum(['add', 'remove']), ...projectTargets })
export type HideAction = z.output<typeof hideActionSchema>

const colorSchema = z.string().check(z.refine(isLabelColor, 'ไม่มีสีนี้ให้เลือก'))

/**
 * `label_action` (specification section 3). `remove_assignment` clears all labels of the projects (D19);
 * `unassign_label` removes one. `create_label` also assigns the new label to its projects; repeating it with the same
 * id and name is harmless, with another name it is rejected.
 */
const oneLabelActionSchemas = [
  z.object({
    action: z.literal('create_label'),
    label_id: clientGeneratedIdSchema,
    label_name: labelNameSchema,
    label_color: colorSchema,
    // The limit is high, because undoing the deletion of a label lists every project that had the label.
    ...projectTargetsUpTo(MAX_MARKED_PROJECTS),
  }),
  z.object({ action: z.literal('assign_label'), label_id: clientGeneratedIdSchema, ...projectTargets }),
  z.object({ action: z.literal('unassign_label'), label_id: clientGeneratedIdSchema, ...projectTargets }),
  z.object({ action: z.literal('delete_label'), label_id: clientGeneratedIdSchema }),
  z.object({ action: z.literal('rename_label'), label_id: clientGeneratedIdSchema, label_name: labelNameSchema }),
  z.object({ action: z.literal('recolor_label'), label_id: clientGeneratedIdSchema, label_color: colorSchema }),
] as const
const labelActionSchema = z.discriminatedUnion('action', [
  ...oneLabelActionSchemas,
  z.object({ action: z.literal('remove_assignment'), ...projectTargets }),
])
export const teamLabelActionSchema = z.discriminatedUnion('action', oneLabelActionSchemas)
export type LabelAction = z.output<typeof labelActionSchema>

/**
 * `filter_action` (specification section 3, extended here with `start`, `share`, `rename` and `update`). `email_toggle`
 * sets the state to `is_send`, or toggles it if `is_send` is absent. `start` replaces the previous start view.
 * Repeating `add` with the same id, name and content is harmless.
 */
const filterActionSchema = z.discriminatedUnion('action', [
  z.object({
    action: z.literal('add'),
    filter_id: clientGeneratedIdSchema,
    filterName: savedFilterNameSchema,
    /** Filter content; if absent, it is taken from the `project_save_filter_profile` item with this id. */
    filterData: z.optional(filterCriteriaSchema),
    is_send: z.optional(z.boolean()),
    /**
     * Used when a deletion is undone: the filter becomes the start view again, unless another one has been set since.
     */
    is_start: z.optional(z.boolean()),
    is_shared: z.optional(z.boolean()),
  }),
  z.object({ action: z.literal('remove'), filter_id: clientGeneratedIdSchema }),
  z.object({ action: z.literal('email_toggle'), filter_id: clientGeneratedIdSchema, is_send: z.optional(z.boolean()) }),
  z.object({ action: z.literal('start'), filter_id: clientGeneratedIdSchema, is_start: z.boolean() }),
  z.object({ action: z.literal('share'), filter_id: clientGeneratedIdSchema, is_shared: z.boolean() }),
  z.object({ action: z.literal('rename'), filter_id: clientGeneratedIdSchema, filterName: savedFilterNameSchema }),
  z.object({ action: z.literal('update'), filter_id: clientGeneratedIdSchema, filterData: filterCriteriaSchema }),
])
export type SavedFilterAction = z.output<typeof filterActionSchema>

const isField = (field: string) => REPORT_COLUMNS.some((column) => column.field === field)
const position = z.number().check(z.int(), z.minimum(0), z.maximum(REPORT_COLUMNS.length - 1))

/**
 * `customize_report_table`: supported columns, each at most once, at least one visible. An empty list resets the table
 * to the default order with all columns visible.
 */
const columnSettingsSchema = z
  .array(
    z.object({
      ...columnSettingSchema.shape,
      field: z.string().check(z.refine(isField, 'ไม่มีคอลัมน์นี้')),
      currentPosition: position,
      defaultPosition: position,
      width: z.optional(
        z.number().check(z.int(), z.minimum(COLUMN_WIDTH_LIMITS_PX.min), z.maximum(COLUMN_WIDTH_LIMITS_PX.max)),
      ),
    }),
  )
  .check(
    z.refine((settings) => new Set(settings.map(({ field }) => field)).size === settings.length, 'คอลัมน์ซ้ำกัน'),
    z.refine(
      (settings) => settings.length === 0 || settings.some(({ showHideColumn }) => showHideColumn),
      'ต้องแสดงอย่างน้อยหนึ่งคอลัมน์',
    ),
  )

/**
 * Body of `PATCH /users/me`. Absent fields stay unchanged; other fields (role, e-mail, label_metadata …) are ignored
 * (R26). A list sent with its action is only the client's view and is not stored. Without an action, `project_bookmark`
 * replaces the stars, and `project_label_assignments` the labels of its projects (D19).
 */
export const userPatchSchema = z.object({
  /** Not in the specification's list: the user's names, with the rules of registration. */
  first_name: z.optional(firstNameSchema),
  last_name: z.optional(lastNameSchema),
  is_send_report_email: z.optional(z.boolean()),
  is_noti_e_bidding: z.optional(z.boolean()),
  /** Not in the specification's list: the monthly email about the coverage of announcements. Sent to super users only. */
  is_send_coverage_email: z.optional(z.boolean()),
  /**
   * Not in the specification's list: opt-in to sharing which projects the user has viewed. Sharing is mutual and covers
   * only later views.
   */
  shares_looks: z.optional(z.boolean()),
  customize_report_table: z.optional(columnSettingsSchema),
  bookmark_action: z.optional(bookmarkActionSchema),
  project_bookmark: z.optional(z.array(projectIdSchema).check(z.maxLength(MAX_MARKED_PROJECTS))),
  hide_action: z.optional(hideActionSchema),
  label_action: z.optional(labelActionSchema),
  project_label_assignments: z.optional(
    z.record(projectIdSchema, z.array(clientGeneratedIdSchema).check(z.maxLength(100))),
  ),
  filter_action: z.optional(filterActionSchema),
  notification_updated_status: z.optional(notificationPatchSchema),
  project_save_filter_profile: z.optional(
    z.array(z.looseObject({ id: z.string(), filterData: z.optional(filterCriteriaSchema) })),
  ),
})
export type UserPatch = z.output<typeof userPatchSchema>
