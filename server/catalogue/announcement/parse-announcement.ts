import { findAnnouncementType } from '#contract/catalogue/announcement-type.ts'
import { maskPersonIds } from '#contract/catalogue/natural-person.ts'
import { addDays } from '#contract/thai/thai-date.ts'
import { normaliseThai, removeSpacesNextToThai } from '#contract/thai/thai-text.ts'
import { cleanFeedText, isStorableText, toQuarantinedText } from '#server/catalogue/feed/clean-text.ts'
import { FeedFieldError, parseDateCell } from '#server/catalogue/feed/feed-field.ts'
import type { FeedRecord } from '#server/catalogue/feed/feed-source.ts'
import {
  FEED_PROJECT_ID_PATTERN,
  PLAN_ID_PATTERN,
  toAnnouncedProjectRecord,
  toValidHttpLink,
} from '#server/catalogue/feed/sources/announced-project.ts'
import { stripTitleBoilerplate } from '#server/platform/text/vocabulary-segmenter.ts'

export type ReceivedAnnouncement = {
  /** Project number, or the plan number for type P0. */
  readonly projectId: string
  readonly type: string
  readonly title: string
  readonly link: string
  readonly publishedOn: string
  /** Agency code with which the feed was queried (`deptId`, `deptsubId`); empty for none. */
  readonly agencyCode: string
  readonly method?: string | undefined
  readonly isXmlRepaired?: boolean | undefined
}

export type AnnouncementAgency = { readonly name: string; readonly province: number | null }
export type PurchasingPlan = {
  readonly planId: string
  readonly agencyCode: string
  readonly title: string
  readonly titleKey: string
  readonly link: string | null
  readonly publishedOn: string
}

export type ParsedAnnouncement =
  | { readonly record: FeedRecord; readonly warnings: readonly string[] }
  | { readonly plan: PurchasingPlan; readonly warnings: readonly string[] }
  | { readonly rejected: { readonly reason: string; readonly raw: string } }

export type AnnouncementContext = {
  readonly agencies: ReadonlyMap<string, AnnouncementAgency>
  readonly today: string
}

/**
 * Maximum length of a title. Far above the longest real project name of 583 characters, because the titles of whole
 * plans fill pages (`docs/data.md`).
 */
const MAX_TITLE_LENGTH = 20_000
/** Matches word processor markup in titles, which is not part of the name. */
const MARKUP_TAG = /<\/?[a-z!][^<>]*>/gi

/**
 * Reads one item. An unknown agency, an invalid link or markup in the title do not reject the announcement; they are
 * dropped with a warning.
 */
export function parseAnnouncement(
  item: ReceivedAnnouncement,
  { agencies, today }: AnnouncementContext,
): ParsedAnnouncement {
  const reject = (reason: string): ParsedAnnouncement => ({
    rejected: { reason, raw: toQuarantinedText(JSON.stringify(item)) },
  })
  const type = findAnnouncementType(item.type)
  if (type === undefined) return reject(`ไม่รู้จักประเภทประกาศ "${item.type.slice(0, 40)}"`)
  const id = item.projectId.trim()
  if (type.movement === null ? !PLAN_ID_PATTERN.test(id) : !FEED_PROJECT_ID_PATTERN.test(id))
    return reject(invalidIdReason(id, type.movement === null))
  const warnings: string[] = []
  const title = maskPersonIds(cleanFeedText(item.title.replace(MARKUP_TAG, ' ')))
  if (MARKUP_TAG.test(item.title)) warnings.push('ตัดแท็ก HTML ออกจากชื่อโครงการ')
  MARKUP_TAG.lastIndex = 0
  if (title === '') return reject('ไม่มีชื่อโครงการ (title)')
  if (title.length > MAX_TITLE_LENGTH || !isStorableText(title)) return reject('ชื่อโครงการยาวเกินไปหรือมีอักขระที่เก็บไม่ได้')
  const published = readPublishedDay(item.publishedOn, today)
  if ('reason' in published) return reject(published.reason)
  const link = isStorableText(item.link) ? toValidHttpLink(item.link.trim()) : undefined
  if (link === undefined && item.link.trim() !== '') warnings.push('ลิงก์ของประกาศใช้ไม่ได้')
  const agency = agencies.get(item.agencyCode)
  if (agency === undefined) warnings.push(`ไม่รู้จักรหัสหน่วยงาน "${item.agencyCode.slice(0, 20)}"`)
  if (type.movement === null) {
    const plan = { planId: id, agencyCode: item.agencyCode, title, titleKey: toPlanMatchingTitle(title) }
    return { plan: { ...plan, link: link ?? null, publishedOn: published.day }, warnings }
  }
  const record = toAnnouncedProjectRecord({
    projectId: id,
    title,
    movement: type.movement,
    publishedOn: published.day,
    link,
    method: item.method,
    deptName: agency?.name,
    deptProvince: agency?.province ?? undefined,
  })
  return { record, warnings }
}

function invalidIdReason(id: string, isPlan: boolean): string {
  if (id === '') return isPlan ? 'ไม่มีเลขที่แผน' : 'ไม่มีรหัสโครงการ'
  return isPlan ? `"${id.slice(0, 40)}" ไม่ใช่เลขที่แผน` : `รหัสโครงการ "${id.slice(0, 40)}" ไม่ใช่เลข 11 หลัก`
}

/**
 * No announcement is older, because e-GP did not exist before this day. One day ahead of today is accepted, because the
 * publisher's clock may be fast.
 */
const EARLIEST_DAY = '2010-01-01'

function readPublishedDay(text: string, today: string): { readonly day: string } | { readonly reason: string } {
  try {
    const day = parseDateCell(text, 'pubDate')
    if (!day) return { reason: 'ไม่มีวันที่ประกาศ (pubDate)' }
    if (day < EARLIEST_DAY || day > addDays(today, 1)) return { reason: `pubDate: วันที่ ${day} เป็นไปไม่ได้` }
    return { day }
  } catch (error) {
    if (error instanceof FeedFieldError) return { reason: error.message }
    throw error
  }
}

/** Prefixes that e-GP adds to the title of a purchase when it is announced. */
const METHOD_PREFIX = /^(?:ประกวดราคาอิเล็กทรอนิกส์|ประกวดราคา|สอบราคา)/

/**
 * Returns the title without its purchasing method. A plan and its project have the same key unless the agency reworded
 * the title.
 */
export function toPlanMatchingTitle(title: string): string {
  return removeSpacesNextToThai(stripTitleBoilerplate(normaliseThai(title)).replace(/\s+/g, ' ').trim()).replace(
    METHOD_PREFIX,
    '',
  )
}
