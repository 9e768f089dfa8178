import { z } from 'zod/mini'
import { getWatchListLockEnd, type WatchListLockWindow } from '../account/watch-list-lock-window.ts'
import { formatBangkokTime } from '../thai/thai-date.ts'

export const MAX_REPORT_MAIL_ROWS = 50

/** Time of day, `HH:mm` in Bangkok, of the morning's mail: 08:30, or when closed hours end that include it. */
export function getReportMailTime(window: WatchListLockWindow): string {
  const due = new Date('2026-01-01T08:30:00+07:00')
  return formatBangkokTime(getWatchListLockEnd(window, due) ?? due).slice(-5)
}

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
  'coverage_off',
  'coverage_on',
  'relevant',
  'irrelevant',
  'seen',
  'no_feedback',
] as const
export type MailLinkKind = (typeof MAIL_LINK_KINDS)[number]

/**
 * Validity of links in emails, in days. Unsubscribe links are valid longer, because an old email must still allow
 * unsubscribing.
 */
export const ACTION_LINK_LIFETIME_DAYS = 14
export const UNSUBSCRIBE_LINK_LIFETIME_DAYS = 60

/**
 * Body of `POST /mail-links/look` and `POST /mail-links`. Accepts any text; an invalid token is answered with `broken`.
 */
export const mailLinkRequestSchema = z.object({ token: z.string().check(z.maxLength(1_000)) })

/**
 * Target of a link in an email. The link does not log in, so the response reveals no more than the email does and masks
 * the address. `done`: the state is already set.
 */
export const mailLinkSchema = z.object({
  kind: z.enum(MAIL_LINK_KINDS),
  account: z.string(),
  project: z.nullable(z.object({ project_id: z.string(), name: z.string(), dept_sub_name: z.string() })),
  /** `is_last`: no other filter is sent by email. Without any filter, the email lists the whole report. */
  filter: z.nullable(z.object({ name: z.string(), is_last: z.boolean() })),
  done: z.boolean(),
})
export type MailLink = z.output<typeof mailLinkSchema>

/**
 * Response of `POST /mail-links`, which performs the action. `undo` is a token that reverts it; null when nothing
 * changed.
 */
export const mailLinkResultSchema = z.object({ ...mailLinkSchema.shape, undo: z.nullable(z.string()) })
export type MailLinkResult = z.output<typeof mailLinkResultSchema>

/**
 * Why a link fails, in `link` of the 400 response. `foreign`: signed by another installation, or its account or filter
 * no longer exists. `broken`: invalid or incompletely copied.
 */
export const MAIL_LINK_ERRORS = ['used', 'expired', 'foreign', 'broken'] as const
export type MailLinkError = (typeof MAIL_LINK_ERRORS)[number]

/**
 * `GET /users/me/report-mail-preview`: the email as it would be sent now. `address` is a URL that serves its HTML for a
 * few minutes in a page without scripts; null if the email would be empty and therefore not sent.
 */
export const reportMailPreviewSchema = z.object({
  subject: z.nullable(z.string()),
  address: z.nullable(z.string()),
})
