import { bangkokToday, formatBangkokTime, thaiDay } from '#contract/thai/thai-date.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { MailContent } from '#server/platform/mail/render-mail.ts'
import { type ReportMailFilter, renderReportMail } from '#server/platform/mail/report-mail.ts'
import type { OutgoingMail } from '#server/platform/route/outgoing-mail.ts'
import { type Candidate, findCandidates, findDataTime, findGoneParts, type Recipient } from './mail-content-queries.ts'
import { type MailFilter, mailFiltersOf, pathsOf } from './mail-filters.ts'
import type { MailLinkTokens } from './mail-link-token.ts'
import { type LinkMaker, linkMaker } from './mail-links.ts'
import type { ReportReader } from './mail-rows.ts'
import { mailRows } from './mail-rows.ts'
import { type Section, type SectionName, sortIntoSections, subjectCounts } from './sections.ts'

export type MailParts = {
  readonly reader: ReportReader
  readonly mails: OutgoingMail
  readonly tokens: MailLinkTokens
}

/** Shared by users of one organisation within a round of mails. Holds only the latest organisation, to limit memory. */
export type CandidateCache = { key?: string; candidates?: readonly Candidate[] }

export type ComposeOptions = {
  readonly loadIds: readonly number[]
  readonly now: Date
  readonly cache?: CandidateCache
}

const TITLES: Readonly<Record<SectionName, string>> = {
  closing: 'ปิดรับใน 7 วัน',
  comment: 'วิจารณ์ร่างถึงใน 7 วัน',
  new: 'ใหม่',
  updated: 'อัปเดต',
  results: 'ผลการพิจารณา',
}

const GONE_SUBJECT = 'ตัวกรองที่ส่งทางอีเมลอ้างถึงสิ่งที่ไม่มีแล้ว'

export const NOT_DUE = { due: null, closes_on: null, closes_at: null } as const

type Caught = { readonly filter: MailFilter; readonly ids: ReadonlySet<string> }

/** Composes the report mail of a user for some loads; undefined if there is no content. */
export async function composeReportMail(
  db: Db,
  parts: MailParts,
  recipient: Recipient,
  { loadIds, now, cache = {} }: ComposeOptions,
): Promise<MailContent | undefined> {
  const { userId, organisationId } = recipient
  const today = bangkokToday(now)
  const candidates = (await candidatesOf(db, organisationId, { loadIds, today, now }, cache)).map((candidate) => ({
    ...candidate,
    ...(isOver(candidate, now) ? NOT_DUE : {}),
    is_new: candidate.is_new || isUntold(candidate, recipient.lastMailAt),
  }))
  const { filters, unreadable } = mailFiltersOf(recipient)
  const visit = await parts.reader.previousVisit(db, userId, now)
  const found = await parts.reader.findPassing(
    db,
    filters.map(({ search }) => search),
    { organisationId, userId, today, visit },
    candidates.map(({ id }) => id),
  )
  const all = new Set(found.flat())
  // A second mail on the same day does not repeat deadlines.
  const tellsClosing = recipient.lastMailAt === null || bangkokToday(new Date(recipient.lastMailAt)) !== today
  const sections = sortIntoSections(
    candidates.filter(({ id }) => all.has(id)),
    tellsClosing,
  )
  const gone = await findGoneParts(db, userId)
  if (sections.length === 0 && gone.length === 0) return undefined

  const inMail = new Set(sections.flatMap(({ ids }) => ids))
  const caught: Caught[] = filters.flatMap((filter, i) => {
    const ids = found[i]!.filter((id) => inMail.has(id))
    return ids.length === 0 ? [] : [{ filter, ids: new Set(ids) }]
  })
  const links = linkMaker(parts, userId, now)
  const fresh = new Set(candidates.flatMap(({ id, is_new }) => (is_new ? id : [])))
  const rows = await mailRows(db, parts.reader, {
    organisationId,
    userId,
    loadIds,
    today,
    shown: sections.flatMap(({ name, shown }) => shown.map((id) => ({ id, section: name, isNew: fresh.has(id) }))),
    filtersOf: (id) =>
      filters.length > 1 ? caught.flatMap(({ filter, ids }) => (ids.has(id) ? filter.name : [])) : [],
    links,
  })
  const archived = new Set(candidates.flatMap(({ id, is_archived }) => (is_archived ? id : [])))
  const isNotice = sections.length === 0
  return renderReportMail({
    subject: isNotice ? GONE_SUBJECT : `${subjectCounts(sections)} – ${namesOf(caught)}`,
    preview: isNotice ? gone[0]!.what : sections.map(({ name, ids }) => `${TITLES[name]} ${ids.length}`).join(' · '),
    title: `รายงานโครงการ ${thaiDay(today)}`,
    filters: caught.map(({ filter, ids }) => filterBlock(filter, [...ids], archived, links)),
    notes: [
      ...gone.map(({ filter, what }) => `ตัวกรอง “${filter}”: ${what} จึงอาจไม่พบโครงการใดอีก แก้ตัวกรองนี้หรือหยุดส่ง`),
      ...unreadable.map((name) => `ตัวกรอง “${name}” มีส่วนที่อ่านไม่ได้แล้ว จึงไม่มีในอีเมลนี้ เปิดในรายงานแล้วบันทึกใหม่`),
      `ข้อมูลนำเข้า ${formatBangkokTime(new Date(await findDataTime(db, loadIds)))} น.`,
    ],
    sections: sections.map((section) => ({
      title: TITLES[section.name],
      count: section.ids.length,
      rows: section.shown.flatMap((id) => rows.get(id) ?? []),
      all: sectionLinks(section, archived, links),
    })),
    ends: [
      { text: 'เลือกตัวกรองที่ส่งทางอีเมล', url: links.page('/settings?tab=saved-filters') },
      { text: 'หยุดรับอีเมลรายงาน', url: links.mailOff() },
    ],
    unsubscribeUrl: links.oneClickOff(),
  })
}

async function candidatesOf(
  db: Db,
  organisationId: number,
  asked: { readonly loadIds: readonly number[]; readonly today: string; readonly now: Date },
  cache: CandidateCache,
): Promise<readonly Candidate[]> {
  const key = [organisationId, asked.today, ...asked.loadIds].join()
  if (cache.key !== key || !cache.candidates) {
    cache.candidates = await findCandidates(db, organisationId, asked)
    cache.key = key
  }
  return cache.candidates
}

/** Whether a document matched the project since this user's last mail, or ever if there was none. */
function isUntold({ documented_at }: Candidate, lastMailAt: string | null): boolean {
  if (!documented_at) return false
  return lastMailAt === null || new Date(documented_at) > new Date(lastMailAt)
}

/** True once today's deadline hour has passed: such a project is no longer "closing". */
export function isOver({ closes_on, closes_at }: Candidate, now: Date): boolean {
  const end = /(\d{1,2})[:.](\d{2})\s*(?:น\.)?$/.exec(closes_at ?? '')
  if (closes_on !== bangkokToday(now) || !end) return false
  return `${end[1]!.padStart(2, '0')}:${end[2]}` <= formatBangkokTime(now).slice(-5)
}

function namesOf(caught: readonly Caught[]): string {
  const [first, ...others] = caught
  const name = first?.filter.name ?? ''
  return others.length === 0 ? name : `${name} และอีก ${others.length} ตัวกรอง`
}

function filterBlock(
  filter: MailFilter,
  ids: readonly string[],
  archived: ReadonlySet<string>,
  links: LinkMaker,
): ReportMailFilter {
  // A filter may match in both tabs, but a URL shows only one.
  const tabs = [false, true].map((isArchived) =>
    pathsOf(
      ids.filter((id) => archived.has(id) === isArchived),
      isArchived,
    ),
  )
  const paths = tabs.includes(undefined) ? [] : tabs.flatMap((tab) => tab ?? [])
  const count = ids.length.toLocaleString('en-US')
  const rows = paths.map((path, i, { length }) => ({
    text: length === 1 ? `เปิด ${count} โครงการนี้ในรายงาน` : `เปิด ${count} โครงการนี้ ชุดที่ ${i + 1}`,
    url: links.page(path),
  }))
  return {
    name: filter.name,
    words: filter.words,
    links: [
      ...rows,
      { text: filter.id === undefined ? 'เปิดทั้งรายงาน' : 'เปิดทั้งตัวกรอง', url: links.page(filter.path) },
      ...(filter.id === undefined ? [] : [{ text: 'หยุดส่งตัวกรองนี้', url: links.filterOff(filter.id) }]),
    ],
  }
}

/**
 * Links to all projects of a section, one per tab because the report shows one at a time. Used when the mail omits
 * rows.
 */
function sectionLinks({ ids }: Section, archived: ReadonlySet<string>, links: LinkMaker) {
  const text = `เปิดทั้ง ${ids.length.toLocaleString('en-US')} โครงการในรายงาน`
  const paths = [false, true].flatMap((isArchived) => {
    const own = ids.filter((id) => archived.has(id) === isArchived)
    return pathsOf(own, isArchived) ?? ['/report']
  })
  return paths.map((path, i) => ({
    text: paths.length === 1 ? text : `${text} ชุดที่ ${i + 1}`,
    url: links.page(path),
  }))
}
