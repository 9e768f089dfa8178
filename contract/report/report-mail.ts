import { z } from 'zod/mini'

/** Most projects that one report mail shows in full; the others are counted and linked. */
export const MAIL_ROWS = 50

/** What the mail's links do, and what takes that back. */
export const MAIL_LINK_KINDS = [
  'bookmark',
  'unbookmark',
  'hide',
  'unhide',
  'mail_off',
  'mail_on',
  'filter_off',
  'filter_on',
  'questions_off',
  'questions_on',
] as const
export type MailLinkKind = (typeof MAIL_LINK_KINDS)[number]

/** Days that a link to star or to hide works, and one that stops mails: that one must still work in a mail found again later. */
export const MARK_LINK_DAYS = 14
export const OFF_LINK_DAYS = 60

/** Body of `POST /mail-links/look` and `POST /mail-links`. Any text: what is no token of ours is answered as `broken`. */
export const mailLinkRequestSchema = z.object({ token: z.string().check(z.maxLength(1_000)) })

/**
 * What a link is about. It logs nobody in, so it says no more than the mail did: the address has its middle hidden.
 * `done`: it is so already.
 */
export const mailLinkSchema = z.object({
  kind: z.enum(MAIL_LINK_KINDS),
  account: z.string(),
  project: z.nullable(z.object({ project_id: z.string(), name: z.string(), dept_sub_name: z.string() })),
  /** `is_last`: no other filter is mailed; without any the mail lists the whole report. */
  filter: z.nullable(z.object({ name: z.string(), is_last: z.boolean() })),
  done: z.boolean(),
})
export type MailLink = z.output<typeof mailLinkSchema>

/** Answer of `POST /mail-links`, which does it. `undo`: a token that takes it back; null where nothing changed. */
export const mailLinkDoneSchema = z.object({ ...mailLinkSchema.shape, undo: z.nullable(z.string()) })
export type MailLinkDone = z.output<typeof mailLinkDoneSchema>

/**
 * Why a link does nothing, in `link` of the 400. `foreign`: another installation signed it, or its account or filter is gone.
 * `broken`: no token at all, or not copied whole.
 */
export const MAIL_LINK_PROBLEMS = ['used', 'expired', 'foreign', 'broken'] as const
export type MailLinkProblem = (typeof MAIL_LINK_PROBLEMS)[number]

/**
 * `GET /users/me/report-mail-preview`: the mail as it would go out now. `address`: where its HTML can be looked at for some minutes, in a
 * page that may run nothing; null when there is nothing to say, and then no mail would go.
 */
export const reportMailPreviewSchema = z.object({
  subject: z.nullable(z.string()),
  address: z.nullable(z.string()),
})
export type ReportMailPreview = z.output<typeof reportMailPreviewSchema>
