import { TextDecoder } from 'node:util'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { cleanText, rawForQuarantine } from '../clean-text.ts'
import { FieldError, readDate } from '../feed-field.ts'
import { FeedFormatError, type FeedItem, type FeedSource } from '../feed-source.ts'
import { detectEncoding } from '../file/encoding.ts'
import { readWhole } from '../file/feed-file.ts'
import { movementCode } from '../vocabulary.ts'
import { followable, PLAN_ID, PROJECT_ID, recordOfAnnouncement } from './announced-item.ts'

/** The feed carries at most 20 items a request; a file of many requests stays far below this. */
const MAX_BYTES = 64 * 2 ** 20

/** `deptName`: the agency whose number was asked for (`deptId`); the feed itself names none. */
export type RssOptions = { readonly deptName?: string | undefined }

/** A saved answer of the e-GP announcement feed. One `item` is one announcement of one project. */
export function egpRssSource(path: string, options: RssOptions = {}): FeedSource {
  return {
    name: 'egp-rss',
    async *records(resumeAfterLine) {
      for (const item of readFeed(decode(await readWhole(path, MAX_BYTES)), options))
        if (item.line > resumeAfterLine) yield item
    },
  }
}

/** The XML declaration says windows-874 and is right; the HTTP header says ISO-8859-1 and is wrong (docs/data.md). */
function decode(bytes: Buffer): string {
  return new TextDecoder(detectEncoding(bytes.subarray(0, 64 * 1024))).decode(bytes)
}

const ITEM_END = '</item>'

type Item = { readonly line: number; readonly xml: string }

/** @throws FeedFormatError naming the line where the text stops being XML, or when it is no RSS. */
export function readFeed(text: string, options: RssOptions): FeedItem[] {
  const validity = XMLValidator.validate(text)
  if (validity !== true)
    throw new FeedFormatError(`XML เสียที่บรรทัด ${validity.err.line} ช่อง ${validity.err.col}: ${validity.err.msg}`)
  if (!/<rss[\s>]/.test(text) || !/<channel[\s>]/.test(text))
    throw new FeedFormatError('XML นี้ไม่ใช่ RSS: ไม่มี rss/channel')
  return itemsOf(text).map((item) => readItem(item, options))
}

/** Items with the line each begins on, which the parser does not report. */
export function itemsOf(text: string): Item[] {
  const items: Item[] = []
  let line = 1
  let counted = 0
  let end = 0
  for (const { index } of text.matchAll(/<item[\s>]/g)) {
    if (index < end) continue
    const close = text.indexOf(ITEM_END, index)
    if (close < 0) break
    end = close + ITEM_END.length
    for (let at = text.indexOf('\n', counted); at >= 0 && at < index; at = text.indexOf('\n', at + 1)) line += 1
    counted = index
    // Two items on one line would share a number; the later one takes the next free one.
    items.push({ line: Math.max(line, (items.at(-1)?.line ?? 0) + 1), xml: text.slice(index, end) })
  }
  return items
}

export const PARSER = new XMLParser({
  parseTagValue: false,
  ignoreAttributes: true,
  processEntities: true,
  htmlEntities: true,
})

function readItem({ line, xml }: Item, options: RssOptions): FeedItem {
  const reject = (reason: string): FeedItem => ({ line, rejected: { reason, raw: rawForQuarantine(xml) } })
  const parsed: unknown = PARSER.parse(xml)
  const fields = (parsed as { item?: Record<string, unknown> }).item ?? {}
  const text = (name: string) => (typeof fields[name] === 'string' ? cleanText(fields[name]) : '')
  // "<project id>, <method>, <announcement type>": only the last part may hold a comma.
  const parts = /^([^,]*),([^,]*),(.*)$/s.exec(text('description'))
  if (parts === null) return reject(`description "${text('description')}" ไม่ใช่ "เลขโครงการ, วิธี, ประเภทประกาศ"`)
  const projectId = parts[1]!.trim()
  if (PLAN_ID.test(projectId)) return reject(`${projectId} เป็นเลขที่แผนจัดซื้อจัดจ้าง ยังไม่มีเลขโครงการ`)
  if (!PROJECT_ID.test(projectId)) return reject(`รหัสโครงการ "${projectId}" ไม่ใช่เลข 11 หลัก`)
  if (text('title') === '') return reject('ไม่มีชื่อโครงการ (title)')
  try {
    const announcedOn = readDate(text('pubDate'), 'pubDate')
    if (!announcedOn) return reject('ไม่มีวันที่ประกาศ (pubDate)')
    const movement = movementCode(parts[3]!)
    if (movement === '') return reject('ไม่มีประเภทประกาศใน description')
    const item = { projectId, title: text('title'), movement, publishedOn: announcedOn, link: followable(text('link')) }
    return { line, record: recordOfAnnouncement({ ...item, method: parts[2], deptName: options.deptName }) }
  } catch (error) {
    if (error instanceof FieldError) return reject(error.message)
    throw error
  }
}
