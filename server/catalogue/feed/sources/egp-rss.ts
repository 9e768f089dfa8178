import { TextDecoder } from 'node:util'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import type { DataIssue } from '#contract/catalogue/data-issue.ts'
import { cleanFeedText, toQuarantinedText } from '#server/catalogue/feed/clean-text.ts'
import { FeedFieldError, parseDateCell } from '#server/catalogue/feed/feed-field.ts'
import { FeedFormatError, type FeedRow, type FeedSource } from '#server/catalogue/feed/feed-source.ts'
import { toMovementCode } from '#server/catalogue/feed/feed-vocabulary.ts'
import { detectEncoding, detectUtf16, isMojibake } from '#server/catalogue/feed/file/encoding.ts'
import { readWholeFile } from '#server/catalogue/feed/file/feed-file.ts'
import {
  FEED_PROJECT_ID_PATTERN,
  PLAN_ID_PATTERN,
  toAnnouncedProjectRecord,
  toValidHttpLink,
} from './announced-project.ts'

/** The feed returns at most 20 items per request; a file of many requests stays far below this. */
const MAX_BYTES = 64 * 2 ** 20

export type RssOptions = { readonly deptName?: string | undefined }

export function createEgpRssSource(path: string, options: RssOptions = {}): FeedSource {
  return {
    name: 'egp-rss',
    async *records(resumeAfterLine) {
      const items = parseRssFeed(decodeRssFeed(await readWholeFile(path, MAX_BYTES)), options)
      if (items.length === 0) throw new FeedFormatError('RSS นี้ไม่มีประกาศสักรายการ ตรวจไฟล์แล้วดาวน์โหลดใหม่')
      for (const item of items) if (item.line > resumeAfterLine) yield item
    },
  }
}

/**
 * Decodes by content: the XML declaration states windows-874 and has been right so far, while the HTTP header states
 * ISO-8859-1 and is wrong (docs/data.md).
 * @throws FeedFormatError when the bytes are neither UTF-8 nor windows-874.
 */
export function decodeRssFeed(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const encoding = detectUtf16(buffer) ?? detectEncoding(buffer)
  return new TextDecoder(encoding).decode(buffer)
}

export const REPAIRED_XML: DataIssue = { kind: 'file_layout', field: 'XML', value: 'มีเครื่องหมายผิดรูป อ่านเป็นตัวอักษร' }
const ITEM_END = '</item>'

type Item = { readonly line: number; readonly xml: string }

/**
 * Parses items individually: invalid markup is read as text, and an item that is still invalid is rejected alone.
 * @throws FeedFormatError naming the line of a truncation, or when the text is not RSS.
 */
export function parseRssFeed(text: string, options: RssOptions): FeedRow[] {
  assertRssFeed(text)
  const repaired = repairRssXml(text)
  const items = splitRssItems(repaired).map((item) => readItem(item, options))
  const first = items.findIndex((item) => 'record' in item)
  return repaired === text ? items : items.map((item, at) => (at === first ? { ...item, notes: [REPAIRED_XML] } : item))
}

export function assertRssFeed(text: string): void {
  if (!/<rss[\s>]/.test(text) || !/<channel[\s>]/.test(text))
    throw new FeedFormatError('XML นี้ไม่ใช่ RSS: ไม่มี rss/channel')
  if (/<\/channel\s*>\s*<\/rss\s*>\s*$/.test(text)) return
  const validity = XMLValidator.validate(repairRssXml(text))
  if (validity === true) return
  throw new FeedFormatError(`XML เสียที่บรรทัด ${validity.err.line} ช่อง ${validity.err.col}: ${validity.err.msg}`)
}

/** Matches a < that does not start one of the tags used by feeds and is therefore text. */
const STRAY_ANGLE_BRACKET =
  /<(?!\/?(?:rss|channel|item|title|link|description|pubDate|guid|language|countbyday|lastBuildDate|ttl|image|url|category|author|atom:link|dc:[a-z]{1,12})\b|[?!])/g
const BARE_AMPERSAND = /&(?!#\d{1,7};|#x[\da-f]{1,6};|[a-z][a-z\d]{1,30};)/gi
/**
 * Matches control characters that XML does not allow. XML allows tab, line feed, carriage return, DEL and the C1
 * controls (U+0080 to U+009F).
 */
const CONTROL_CHARACTERS = /(?![\t\n\r\u007f-\u009f])\p{Cc}/gu

const CDATA_START = '<![CDATA['
const CDATA_END = ']]>'

/**
 * Splits the feed into alternating texts and CDATA sections. Uses no regular expression, because a lazy one takes
 * quadratic time when a section has no end.
 */
function splitByCdata(text: string): string[] {
  const parts: string[] = []
  let at = 0
  for (let start = text.indexOf(CDATA_START); start >= 0; start = text.indexOf(CDATA_START, at)) {
    const end = text.indexOf(CDATA_END, start)
    if (end < 0) break
    parts.push(text.slice(at, start), text.slice(start, end + CDATA_END.length))
    at = end + CDATA_END.length
  }
  return [...parts, text.slice(at)]
}

/** Escapes characters that are invalid in XML. CDATA sections may contain these characters and stay unchanged. */
export function repairRssXml(text: string): string {
  const parts = splitByCdata(text.replace(CONTROL_CHARACTERS, ' '))
  const repaired = parts.map((part, at) =>
    at % 2 === 1 ? part : part.replace(BARE_AMPERSAND, '&amp;').replace(STRAY_ANGLE_BRACKET, '&lt;'),
  )
  return repaired.join('')
}

/** Splits the feed into items with their first line, which the parser does not report. */
export function splitRssItems(text: string): Item[] {
  const items: Item[] = []
  let line = 1
  let countedUntil = 0
  let end = 0
  for (const { index } of text.matchAll(/<item[\s>]/g)) {
    if (index < end) continue
    const close = text.indexOf(ITEM_END, index)
    if (close < 0) break
    end = close + ITEM_END.length
    for (let at = text.indexOf('\n', countedUntil); at >= 0 && at < index; at = text.indexOf('\n', at + 1)) line += 1
    countedUntil = index
    // Line numbers must be unique, so a second item on the same line gets the next number.
    items.push({ line: Math.max(line, (items.at(-1)?.line ?? 0) + 1), xml: text.slice(index, end) })
  }
  return items
}

const RSS_XML_PARSER = new XMLParser({
  parseTagValue: false,
  ignoreAttributes: true,
  processEntities: true,
  htmlEntities: true,
})

export const MISDECODED_RSS_TEXT_MESSAGE = 'ตัวอักษรไทยเพี้ยน: คำตอบถูกอ่านด้วยรหัสอักษรผิดก่อนส่งมา'

export function parseRssItemFields(xml: string): Readonly<Record<string, unknown>> | string {
  const validity = XMLValidator.validate(xml)
  if (validity !== true) return `รายการเป็น XML ที่เสีย: ${validity.err.msg}`
  // The parser returns an item without tags as its text.
  const { item } = RSS_XML_PARSER.parse(xml) as { item?: unknown }
  const fields = typeof item === 'object' && item !== null ? (item as Record<string, unknown>) : {}
  if (`${fields.title} ${fields.description}`.includes('\ufffd')) return 'มีไบต์ที่ถอดเป็นตัวอักษรไม่ได้ในประกาศ'
  return isMojibake(String(fields.title ?? '')) ? MISDECODED_RSS_TEXT_MESSAGE : fields
}

function readItem({ line, xml }: Item, options: RssOptions): FeedRow {
  const reject = (reason: string): FeedRow => ({ line, rejected: { reason, raw: toQuarantinedText(xml) } })
  const fields = parseRssItemFields(xml)
  if (typeof fields === 'string') return reject(fields)
  const text = (name: string) => (typeof fields[name] === 'string' ? cleanFeedText(fields[name]) : '')
  // "<project id>, <method>, <announcement type>": only the last part may contain a comma.
  const match = /^([^,]*),([^,]*),(.*)$/s.exec(text('description'))
  if (match === null) return reject(`description "${text('description')}" ไม่ใช่ "เลขโครงการ, วิธี, ประเภทประกาศ"`)
  const projectId = match[1]!.trim()
  if (PLAN_ID_PATTERN.test(projectId)) return reject(`${projectId} เป็นเลขที่แผนจัดซื้อจัดจ้าง ยังไม่มีเลขโครงการ`)
  if (!FEED_PROJECT_ID_PATTERN.test(projectId)) return reject(`รหัสโครงการ "${projectId}" ไม่ใช่เลข 11 หลัก`)
  if (text('title') === '') return reject('ไม่มีชื่อโครงการ (title)')
  try {
    const announcedOn = parseDateCell(text('pubDate'), 'pubDate')
    if (!announcedOn) return reject('ไม่มีวันที่ประกาศ (pubDate)')
    const movement = toMovementCode(match[3]!)
    if (movement === '') return reject('ไม่มีประเภทประกาศใน description')
    const item = {
      projectId,
      title: text('title'),
      movement,
      publishedOn: announcedOn,
      link: toValidHttpLink(text('link')),
    }
    return { line, record: toAnnouncedProjectRecord({ ...item, method: match[2], deptName: options.deptName }) }
  } catch (error) {
    if (error instanceof FeedFieldError) return reject(error.message)
    throw error
  }
}
