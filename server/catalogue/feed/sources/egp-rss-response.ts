import { createHash } from 'node:crypto'
import { maskPersonIds } from '#contract/catalogue/natural-person.ts'
import { cleanFeedText } from '#server/catalogue/feed/clean-text.ts'
import { FeedFieldError, parseDateCell } from '#server/catalogue/feed/feed-field.ts'
import { UnknownEncodingError } from '#server/catalogue/feed/file/encoding.ts'
import {
  assertRssFeed,
  decodeRssFeed,
  MISDECODED_RSS_TEXT_MESSAGE,
  parseRssItemFields,
  repairRssXml,
  splitRssItems,
} from './egp-rss.ts'

export type RssAnnouncement = {
  /** Project number, 11 digits, or plan number (`P69100030274`). */
  readonly projectId: string
  readonly title: string
  readonly link: string
  readonly method: string
  readonly label: string
  readonly publishedOn: string
}

export type RssResponse = {
  readonly announcements: readonly RssAnnouncement[]
  readonly rejected: readonly string[]
  /** From the feed's `countbyday`; undefined when absent. */
  readonly dayCount: number | undefined
  /** Hash of the items only, because the head of the response contains the time. */
  readonly hash: string
  readonly isRepaired: boolean
}

/** Maximum length that the database index on links accepts; the longest of 1,233 real links has 226 characters. */
const MAX_LINK_LENGTH = 1_000

/**
 * Parses a feed response, detecting the encoding from its bytes (docs/data.md).
 * @throws FeedFormatError when it is not RSS (such as a rejection page), is truncated, or has an undeterminable
 * encoding; nothing is stored then.
 */
export function parseRssResponse(bytes: Uint8Array): RssResponse {
  const raw = decodeRssFeed(bytes)
  assertRssFeed(raw)
  const text = repairRssXml(raw)
  const announcements: RssAnnouncement[] = []
  const rejected: string[] = []
  const hash = createHash('sha256')
  for (const { xml } of splitRssItems(text)) {
    hash.update(xml)
    const item = readItem(xml)
    if (typeof item === 'string') rejected.push(item)
    else announcements.push(item)
  }
  const isMisread = rejected.length > 0 && rejected.every((reason) => reason === MISDECODED_RSS_TEXT_MESSAGE)
  if (announcements.length === 0 && isMisread) throw new UnknownEncodingError(MISDECODED_RSS_TEXT_MESSAGE)
  const count = /<countbyday>\s*(\d{1,6})\s*<\/countbyday>/.exec(text)?.[1]
  return {
    announcements,
    rejected,
    dayCount: count === undefined ? undefined : Number(count),
    hash: hash.digest('base64url'),
    isRepaired: text !== raw,
  }
}

function readItem(xml: string): RssAnnouncement | string {
  const fields = parseRssItemFields(xml)
  if (typeof fields === 'string') return fields
  const text = (name: string) => (typeof fields[name] === 'string' ? cleanFeedText(fields[name]) : '')
  const match = /^([^,]*),([^,]*),(.*)$/s.exec(text('description'))
  if (match === null) return `description "${text('description')}" ไม่ใช่ "เลขโครงการ, วิธี, ประเภทประกาศ"`
  const projectId = match[1]!.trim()
  if (!/^(?:\d{11}|[PM]\d{9,13})$/.test(projectId)) return `"${projectId}" ไม่ใช่เลขโครงการหรือเลขแผน`
  const title = maskPersonIds(text('title'))
  if (title === '') return `${projectId} ไม่มีชื่อโครงการ`
  const link = text('link')
  if (link.length > MAX_LINK_LENGTH) return `${projectId} ลิงก์ยาวเกิน ${MAX_LINK_LENGTH} ตัวอักษร`
  try {
    const publishedOn = parseDateCell(text('pubDate'), 'pubDate')
    if (!publishedOn) return `${projectId} ไม่มีวันที่ประกาศ`
    const method = cleanFeedText(match[2]!.replaceAll("'", ''))
    return { projectId, title, link, method, label: match[3]!.trim(), publishedOn }
  } catch (error) {
    if (error instanceof FeedFieldError) return `${projectId}: ${error.message}`
    throw error
  }
}
