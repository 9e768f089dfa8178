import { labelOf, PROJECT_MOVEMENTS } from '#contract/catalogue/project.ts'
import { cleanText } from '#server/catalogue/feed/clean-text.ts'
import type { FeedRecord } from '#server/catalogue/feed/feed-source.ts'
import { methodCode, provinceInTitle } from '#server/catalogue/feed/vocabulary.ts'

/** One announcement of one project as the e-GP feed has it, saved in a file or fetched: all that an item says. */
export type AnnouncedItem = {
  /** 11 digits. */
  readonly projectId: string
  readonly title: string
  /** Step of the project (`PROJECT_MOVEMENTS`), or the feed's own text where no code stands for it. */
  readonly movement: string
  /** ISO date. */
  readonly publishedOn: string
  /** As the feed gave it; undefined when it gave none that can be followed. */
  readonly link: string | undefined
  /** e-GP's text, such as ประกวดราคาอิเล็กทรอนิกส์ (e-bidding); undefined when not said. */
  readonly method?: string | undefined
  /** Agency whose code was asked for; the feed itself names none. */
  readonly deptName?: string | undefined
  readonly deptProvince?: number | undefined
}

export const PROJECT_ID = /^\d{11}$/
/** Number of a purchasing plan (P69100030274, older M66030016395). */
export const PLAN_ID = /^[PM]\d{9,13}$/

/** The address, if it is one that a browser may be sent to. */
export function followable(link: string): string | undefined {
  if (!/^https?:\/\//i.test(link) || !URL.canParse(link)) return undefined
  return link
}

/** Field that holds the date of an announcement's first publication; an amendment leaves it as it was. */
const DATE_FIELDS: Record<string, 'draftPublishedOn' | 'biddingInvitedOn' | 'winnerAnnouncedOn'> = {
  draft_published: 'draftPublishedOn',
  invited: 'biddingInvitedOn',
  winner_announced: 'winnerAnnouncedOn',
}

/**
 * What an announcement says of its project. Everything else is left unsaid: the feed knows no budget, no price, no deadline and no winner. The province is
 * said where the title names exactly one.
 */
export function recordOfAnnouncement(item: AnnouncedItem): FeedRecord {
  const { projectId, title, movement, publishedOn, link, deptName, deptProvince } = item
  const dateField = Object.hasOwn(DATE_FIELDS, movement) ? DATE_FIELDS[movement] : undefined
  const method = cleanText((item.method ?? '').replaceAll("'", ''))
  return {
    projectId,
    name: title,
    projectProvince: provinceInTitle(title),
    deptName,
    deptProvince,
    method: method === '' ? undefined : methodCode(method),
    ...(dateField === undefined ? {} : { [dateField]: publishedOn }),
    announcements: [{ movement, announcedOn: publishedOn }],
    attachments:
      link === undefined
        ? undefined
        : // The feed gives the document no name of its own: it is the announcement's.
          [{ url: link, name: labelOf(PROJECT_MOVEMENTS, movement), step: movement, publishedOn }],
  }
}
