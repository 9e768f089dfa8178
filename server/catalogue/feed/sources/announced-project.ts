import { getChoiceLabel, PROJECT_MOVEMENTS } from '#contract/catalogue/project.ts'
import { cleanFeedText } from '#server/catalogue/feed/clean-text.ts'
import type { FeedRecord } from '#server/catalogue/feed/feed-source.ts'
import { findProvinceInTitle, toProcurementMethodCode } from '#server/catalogue/feed/feed-vocabulary.ts'

export type AnnouncedProject = {
  readonly projectId: string
  readonly title: string
  /** A `PROJECT_MOVEMENTS` code, or the feed's text when no code matches. */
  readonly movement: string
  readonly publishedOn: string
  readonly link: string | undefined
  /** e-GP text, such as ประกวดราคาอิเล็กทรอนิกส์ (e-bidding); undefined when absent. */
  readonly method?: string | undefined
  /** Agency of the code for which the feed was queried; the feed itself does not name an agency. */
  readonly deptName?: string | undefined
  readonly deptProvince?: number | undefined
}

export const FEED_PROJECT_ID_PATTERN = /^\d{11}$/
/** Number of a purchasing plan (P69100030274, older M66030016395). */
export const PLAN_ID_PATTERN = /^[PM]\d{9,13}$/

export function toValidHttpLink(link: string): string | undefined {
  if (!/^https?:\/\//i.test(link) || !URL.canParse(link)) return undefined
  return link
}

/** Record field for the date of first publication of each announcement type; amendments leave it unchanged. */
const DATE_FIELDS: Record<string, 'draftPublishedOn' | 'biddingInvitedOn' | 'winnerAnnouncedOn'> = {
  draft_published: 'draftPublishedOn',
  invited: 'biddingInvitedOn',
  winner_announced: 'winnerAnnouncedOn',
}

/**
 * Maps an announcement to a record. The feed has no budget, price, deadline or winner. The province is set only when
 * the title names exactly one.
 */
export function toAnnouncedProjectRecord(item: AnnouncedProject): FeedRecord {
  const { projectId, title, movement, publishedOn, link, deptName, deptProvince } = item
  const dateField = Object.hasOwn(DATE_FIELDS, movement) ? DATE_FIELDS[movement] : undefined
  const method = cleanFeedText((item.method ?? '').replaceAll("'", ''))
  return {
    projectId,
    name: title,
    projectProvince: findProvinceInTitle(title),
    deptName,
    deptProvince,
    method: method === '' ? undefined : toProcurementMethodCode(method),
    ...(dateField === undefined ? {} : { [dateField]: publishedOn }),
    announcements: [{ movement, announcedOn: publishedOn }],
    attachments:
      link === undefined
        ? undefined
        : // The feed does not name the document, so use the announcement's label.
          [{ url: link, name: getChoiceLabel(PROJECT_MOVEMENTS, movement), step: movement, publishedOn }],
  }
}
