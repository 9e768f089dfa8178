import { z } from 'zod/mini'
import { fieldChangeSchema } from '../catalogue/field-change.ts'

/** `GET /users/me/pulse`: the change poll. One cheap request by which an open tab learns that something is new, without reading all of it. */
export const changePollSchema = z.object({
  /** When data was last loaded, UTC ISO: as `data_time` of the report. */
  data_time: z.nullable(z.string()),
  /** Grows with each notification of the user; null while there is none. */
  newest_notification: z.nullable(z.string()),
  /** Unread ones. */
  unread: z.number(),
  /** Grows with each change of a pursuit of the organisation; null while it has none. */
  pursuit_version: z.optional(z.nullable(z.number())),
})
export type ChangePoll = z.output<typeof changePollSchema>

/**
 * The kinds of notifications (specification section 3). Ours are `Export_ready`: a file made in the background can be fetched; `Mentioned`: a colleague's note
 * calls the user; `Document_changed`: e-GP has another document behind the same link; `Document_compared`: a newer document says other things than the one before;
 * `Document_found`: a document that came has made a project pass a saved filter that looks into documents, or holds a watch word that does;
 * `Join_requested`: somebody asks to be let into the organisation (super users); `Followed_*`: something new of an
 * agency, a company or a project that the user follows; `Question_news`: a load changed answers of saved questions of ใครชนะ;
 * `Contract_ends`: contracts of the organisation's report that came near their end, all of a load in one; `Term_advice`: terms of AI words that bring the user
 * only what the user hides, once a week; `Filter_part_gone`: a label, stage or colleague that a saved filter of the user asks for is gone;
 * `Announced_anew`: a cancelled project that the user starred, labelled or works on may have been announced again under another number.
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

/** A warning comes this many days before a date, or as soon as the project is known when fewer are left (D17). */
export const WARNING_DAYS = 7

/** Most notifications that `GET /users/me` carries, the newest. */
export const MAX_NOTIFICATIONS = 100

export const notificationSchema = z.object({
  id: z.string(),
  read: z.boolean(),
  /** One of `NOTIFICATION_TYPES`; a type that this version does not know is left out by the list. */
  type: z.string(),
  /** The project's name, the name of the file, of the person or of the question, how many contracts by the days that are left, or the terms. */
  detail: z.string(),
  /** Null for `Export_ready`, `Join_requested`, `Question_news`, `Contract_ends`, `Term_advice` and `Filter_part_gone`. */
  project_id: z.nullable(z.string()),
  /** UTC ISO. */
  date_created: z.string(),
  /** ISO date that the warning is about. */
  due_date: z.nullable(z.string()),
  /** The date has changed since, and with it came a newer warning or none: shown struck through (D17). */
  outdated: z.boolean(),
  /** `Updated`: what changed in that load. */
  changes: z.array(fieldChangeSchema),
  /** `Export_ready`: the export that can be fetched. */
  export_id: z.nullable(z.string()),
  /** `Document_compared`: the newer document and its kind while it is kept, and how many of its clauses are others; `Question_news`: how many companies won that never had; `Contract_ends`: how many contracts; `Term_advice`: how many terms. */
  document_id: z.optional(z.string()),
  change_count: z.optional(z.number()),
  document_kind: z.optional(z.string()),
  /** `Document_found` and `Filter_part_gone`: the saved filter while the user has it; of the first what it looks for in documents. */
  filter: z.optional(z.object({ id: z.string(), name: z.string(), words: z.optional(z.string()) })),
  /** `Document_found` of a watch word that let the project in: the word, and the page on which it stands. */
  found: z.optional(z.object({ word: z.string(), page: z.number() })),
  /** `Followed_*`: what is followed, by name. */
  about: z.optional(z.string()),
  /** `Question_news` of one question that is still kept: parameters of its address. */
  question: z.optional(z.record(z.string(), z.string())),
})
export type Notification = z.output<typeof notificationSchema>

/**
 * Notification group of `GET /users/me` (specification section 3), newest first. `clickRead` is set by the load that makes notifications and
 * cleared when the popover opens while some are unread; the bell's dot needs it set and at least one notification (section 4).
 */
export const notificationGroupSchema = z.object({ clickRead: z.boolean(), notifications: z.array(notificationSchema) })
export type NotificationGroup = z.output<typeof notificationGroupSchema>

/**
 * `notification_updated_status` of `PATCH /users/me`: says the wanted end state (R44). `notifications`: those to be marked, other fields of
 * an item are not looked at. `read_up_to`: reads all up to this one, so that none that came in between is lost unread.
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
