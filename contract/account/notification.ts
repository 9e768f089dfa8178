import { z } from 'zod/mini'
import { fieldChangeSchema } from '../catalogue/field-change.ts'

/**
 * `GET /users/me/pulse`: one cheap request that lets an open tab detect new data without refetching everything.
 * `data_time` (UTC ISO) is when data was last loaded, as in the report.
 */
export const dataChangePollResponseSchema = z.object({
  data_time: z.nullable(z.string()),
  /**
   * Increases with each notification of the user, `pursuit_version` with each change to a pursuit of the organisation;
   * null when there are none.
   */
  newest_notification: z.nullable(z.string()),
  unread: z.number(),
  pursuit_version: z.optional(z.nullable(z.number())),
})
export type DataChangePollResponse = z.output<typeof dataChangePollResponseSchema>

/**
 * Notification types (specification section 3) and our additions:
 *
 * - `Export_ready`: a background export can be downloaded
 * - `Mentioned`: a colleague mentioned the user in a note
 * - `Document_changed`: e-GP replaced the document behind a link
 * - `Document_compared`: a newer version of a document differs in content
 * - `Document_found`: a new document makes a project match a saved filter or watch word that searches documents
 * - `Join_requested`: a person requests to join the organisation (super users)
 * - `Followed_*`: an update of an agency, company or project that the user follows
 * - `Question_news`: a load changed answers of saved ใครชนะ questions
 * - `Contract_ends`: contracts in the organisation's report end soon, one notification per load
 * - `Term_advice`: AI terms that match only projects the user hides, weekly
 * - `Filter_part_gone`: a label, stage or colleague used by a saved filter no longer exists
 * - `Announced_anew`: a cancelled project that the user starred, labelled or works on may have been announced again
 *   under another number
 */
export const NOTIFICATION_TYPES = [
  'Updated',
  'Discussion_date_end',
  'Submission_date_end',
  'Export_ready',
  'Document_compared',
  'Mentioned',
  'Document_changed',
  'Document_found',
  'Join_requested',
  'Followed_department',
  'Followed_company',
  'Followed_project',
  'Contract_ends',
  'Question_news',
  'Term_advice',
  'Filter_part_gone',
  'Announced_anew',
] as const
export type NotificationType = (typeof NOTIFICATION_TYPES)[number]

/** Days before a date when its warning is sent; immediately if fewer remain when the project is first seen (D17). */
export const DEADLINE_WARNING_LEAD_DAYS = 7

export const MAX_NOTIFICATIONS = 100

const notificationSchema = z.object({
  id: z.string(),
  read: z.boolean(),
  /** A `NOTIFICATION_TYPES` value; the list skips types that this version does not know. */
  type: z.string(),
  /**
   * Name of the project, file, person or question; for `Contract_ends` the contract counts by days left; for
   * `Term_advice` the terms.
   */
  detail: z.string(),
  /**
   * Null for `Export_ready`, `Join_requested`, `Question_news`, `Contract_ends`, `Term_advice` and `Filter_part_gone`.
   */
  project_id: z.nullable(z.string()),
  date_created: z.string(),
  due_date: z.nullable(z.string()),
  /** True if the date changed after this warning was created; the client then shows it struck through (D17). */
  outdated: z.boolean(),
  /** For `Updated`: the fields that changed in the load that created the notification. */
  changes: z.array(fieldChangeSchema),
  export_id: z.nullable(z.string()),
  /**
   * For `Document_compared`: the id and kind of the newer document, if it still exists, and the number of changed
   * clauses. `change_count` also counts first-time winners (`Question_news`), contracts (`Contract_ends`) or terms
   * (`Term_advice`).
   */
  document_id: z.optional(z.string()),
  change_count: z.optional(z.number()),
  document_kind: z.optional(z.string()),
  /**
   * `Document_found` and `Filter_part_gone`: the saved filter while it still exists; `words` (`Document_found` only) is
   * its document search.
   */
  filter: z.optional(z.object({ id: z.string(), name: z.string(), words: z.optional(z.string()) })),
  /** For `Document_found` triggered by a watch word: the word and the document page that contains it. */
  found: z.optional(z.object({ word: z.string(), page: z.number() })),
  about: z.optional(z.string()),
  /** For `Question_news` about a single question that still exists: the question's URL parameters. */
  question: z.optional(z.record(z.string(), z.string())),
})
export type Notification = z.output<typeof notificationSchema>

/**
 * Notification group of `GET /users/me` (specification section 3), newest first. The load that creates notifications
 * sets `clickRead`; opening the popover with unread ones clears it. The bell shows a dot while it is set and there is
 * at least one notification (section 4).
 */
export const notificationGroupSchema = z.object({ clickRead: z.boolean(), notifications: z.array(notificationSchema) })
export type NotificationGroup = z.output<typeof notificationGroupSchema>

/**
 * `notification_updated_status` of `PATCH /users/me`: the desired end state (R44). Only `id` and `read` of
 * `notifications` are used. `read_up_to` marks everything up to this id, so notifications that arrived in the meantime
 * stay unread.
 */
export const notificationPatchSchema = z.object({
  clickRead: z.optional(z.boolean()),
  notifications: z.optional(
    z
      .array(z.looseObject({ id: z.string().check(z.regex(/^\d{1,15}$/)), read: z.boolean() }))
      .check(z.maxLength(MAX_NOTIFICATIONS)),
  ),
  read_up_to: z.optional(z.string().check(z.regex(/^\d{1,15}$/))),
})
export type NotificationPatch = z.output<typeof notificationPatchSchema>
