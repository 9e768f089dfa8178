import { formatMorningFigures } from '#contract/report/morning-queue.ts'
import { getReportMailTime } from '#contract/report/report-mail.ts'
import { addDays, formatBangkokTime, formatThaiDateShortOrOriginal, getBangkokToday } from '#contract/thai/thai-date.ts'
import { getMondayOfWeek } from '#contract/thai/working-day.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { MailContent } from '#server/platform/mail/render-mail.ts'
import { type ReportMailFilter, renderReportMail } from '#server/platform/mail/render-report-mail.ts'
import type { OutgoingMailQueue } from '#server/platform/route/outgoing-mail.ts'
import { formatWeekFigures } from '#server/report/morning-queue/week-figures.ts'
import { createMailLinkBuilder, type MailLinkBuilder } from './build-mail-links.ts'
import {
  findDataPublicationTime,
  findDeletedSavedFilterParts,
  findReportMailProjects,
  type ReportMailProject,
  type ReportMailRecipient,
} from './mail-content-queries.ts'
import type { MailLinkTokens } from './mail-link-token.ts'
import {
  formatMailSubjectCounts,
  groupIntoMailSections,
  type MailSection,
  type MailSectionName,
} from './mail-sections.ts'
import {
  buildProjectListPaths,
  getMorningQueuePath,
  getReportMailFilters,
  type ReportMailFilterSelection,
} from './report-mail-filters.ts'
import type { ReportMailQueries } from './report-mail-rows.ts'
import { loadReportMailRows } from './report-mail-rows.ts'

export type ReportMailDependencies = {
  readonly reader: ReportMailQueries
  readonly mails: OutgoingMailQueue
  readonly tokens: MailLinkTokens
}

/**
 * Mail candidates, shared by the users of one organisation within a round of emails. Caches only the latest
 * organisation, to limit memory.
 */
export type ReportMailProjectCache = { key?: string; candidates?: readonly ReportMailProject[] }

export type ComposeReportMailOptions = {
  readonly loadIds: readonly number[]
  readonly now: Date
  readonly cache?: ReportMailProjectCache
}

const SECTION_TITLES: Readonly<Record<MailSectionName, string>> = {
  closing: 'ปิดรับใน 7 วัน',
  comment: 'วิจารณ์ร่างถึงใน 7 วัน',
  new: 'ใหม่',
  updated: 'อัปเดต',
  results: 'ผลการพิจารณา',
}

const BROKEN_FILTER_SUBJECT = 'ตัวกรองที่ส่งทางอีเมลอ้างถึงสิ่งที่ไม่มีแล้ว'

export const NO_REPORT_MAIL_PROJECT_DEADLINE = { due: null, closes_on: null, closes_at: null } as const

type FilterMatches = { readonly filter: ReportMailFilterSelection; readonly ids: ReadonlySet<string> }

export async function composeReportMail(
  db: Db,
  parts: ReportMailDependencies,
  recipient: ReportMailRecipient,
  { loadIds, now, cache = {} }: ComposeReportMailOptions,
): Promise<MailContent | undefined> {
  const { userId, organisationId } = recipient
  const today = getBangkokToday(now)
  const candidates = (await loadCandidates(db, organisationId, { loadIds, today, now }, cache)).map((candidate) => ({
    ...candidate,
    ...(hasReportMailProjectClosed(candidate, now) ? NO_REPORT_MAIL_PROJECT_DEADLINE : {}),
    is_new: candidate.is_new || isUnreported(candidate, recipient.lastMailAt),
  }))
  const { filters, unreadable } = getReportMailFilters(recipient)
  const visit = await parts.reader.previousVisit(db, userId, now)
  const scope = { organisationId, userId, today, visit }
  const searches = filters.map(({ search }) => search)
  const matchesByFilter = await parts.reader.findPassing(
    db,
    searches,
    scope,
    candidates.map(({ id }) => id),
  )
  const matchingIds = new Set(matchesByFilter.flat())
  // A second email on the same day does not list the deadlines again.
  const showsDeadlines = recipient.lastMailAt === null || getBangkokToday(new Date(recipient.lastMailAt)) !== today
  const sections = groupIntoMailSections(
    candidates.filter(({ id }) => matchingIds.has(id)),
    showsDeadlines,
  )
  const deletedParts = await findDeletedSavedFilterParts(db, userId)
  if (sections.length === 0 && deletedParts.length === 0) return undefined

  const inMail = new Set(sections.flatMap(({ ids }) => ids))
  const filterMatches: FilterMatches[] = filters.flatMap((filter, i) => {
    const ids = matchesByFilter[i]!.filter((id) => inMail.has(id))
    return ids.length === 0 ? [] : [{ filter, ids: new Set(ids) }]
  })
  const links = createMailLinkBuilder(parts, userId, now)
  const fresh = new Set(candidates.flatMap(({ id, is_new }) => (is_new ? id : [])))
  const rows = await loadReportMailRows(db, parts.reader, {
    organisationId,
    userId,
    loadIds,
    today,
    entries: sections.flatMap(({ name, shownIds }) =>
      shownIds.map((id) => ({ id, section: name, isNew: fresh.has(id) })),
    ),
    filtersOf: (id) =>
      filters.length > 1 ? filterMatches.flatMap(({ filter, ids }) => (ids.has(id) ? filter.name : [])) : [],
    links,
  })
  const archived = new Set(candidates.flatMap(({ id, is_archived }) => (is_archived ? id : [])))
  const isNotice = sections.length === 0
  const morning = isNotice ? '' : formatMorningFigures(await parts.reader.morningFigures(db, searches, scope))
  const isMonday = getMondayOfWeek(today) === today
  const week =
    isMonday && showsDeadlines ? formatWeekFigures(await parts.reader.weekFigures(db, scope, now)) : undefined
  return renderReportMail({
    subject: isNotice
      ? BROKEN_FILTER_SUBJECT
      : `${morning || formatMailSubjectCounts(sections)} – ${filterNamesText(filterMatches)}`,
    preview: isNotice
      ? deletedParts[0]!.what
      : morning || sections.map(({ name, ids }) => `${SECTION_TITLES[name]} ${ids.length}`).join(' · '),
    title: `รายงานโครงการ ${formatThaiDateShortOrOriginal(today)}`,
    figures: [
      ...(morning === '' ? [] : [{ text: `เช้านี้: ${morning}`, link: queueLink(filters, links) }]),
      ...(week === undefined
        ? []
        : [{ text: `${week} (ใหม่ใน 7 วันที่ผ่านมา ปิดถึง ${formatThaiDateShortOrOriginal(addDays(today, 6))})` }]),
    ],
    filters: filterMatches.map(({ filter, ids }) => filterBlock(filter, [...ids], archived, links)),
    notes: [
      ...deletedParts.map(({ filter, what }) => `ตัวกรอง “${filter}”: ${what} จึงอาจไม่พบโครงการใดอีก แก้ตัวกรองนี้หรือหยุดส่ง`),
      ...unreadable.map((name) => `ตัวกรอง “${name}” มีส่วนที่อ่านไม่ได้แล้ว จึงไม่มีในอีเมลนี้ เปิดในรายงานแล้วบันทึกใหม่`),
      `ข้อมูลนำเข้า ${formatBangkokTime(new Date(await findDataPublicationTime(db, loadIds)))} น. อีเมลนี้ส่งทุกเช้า ${mailTimeOf(recipient)} น. เมื่อมีงานใหม่`,
    ],
    sections: sections.map((section) => ({
      title: SECTION_TITLES[section.name],
      count: section.ids.length,
      rows: section.shownIds.flatMap((id) => rows.get(id) ?? []),
      all: sectionLinks(section, archived, links),
    })),
    ends: [
      { text: 'ตรวจว่าประกาศครบไหม', url: links.page('/coverage') },
      { text: 'เลือกตัวกรองที่ส่งทางอีเมล', url: links.page('/report#saved-filters') },
      { text: 'หยุดรับอีเมลรายงาน', url: links.mailOff() },
    ],
    unsubscribeUrl: links.oneClickOff(),
  })
}

function mailTimeOf({ not_allow_start_time, not_allow_end_time }: ReportMailRecipient): string {
  return getReportMailTime({
    not_allow_start_time: not_allow_start_time ?? '',
    not_allow_end_time: not_allow_end_time ?? '',
  })
}

async function loadCandidates(
  db: Db,
  organisationId: number,
  options: { readonly loadIds: readonly number[]; readonly today: string; readonly now: Date },
  cache: ReportMailProjectCache,
): Promise<readonly ReportMailProject[]> {
  const key = [organisationId, options.today, ...options.loadIds].join()
  if (cache.key !== key || !cache.candidates) {
    cache.candidates = await findReportMailProjects(db, organisationId, options)
    cache.key = key
  }
  return cache.candidates
}

function isUnreported({ documented_at }: ReportMailProject, lastMailAt: string | null): boolean {
  if (!documented_at) return false
  return lastMailAt === null || new Date(documented_at) > new Date(lastMailAt)
}

export function hasReportMailProjectClosed({ closes_on, closes_at }: ReportMailProject, now: Date): boolean {
  const end = /(\d{1,2})[:.](\d{2})\s*(?:น\.)?$/.exec(closes_at ?? '')
  if (closes_on !== getBangkokToday(now) || !end) return false
  return `${end[1]!.padStart(2, '0')}:${end[2]}` <= formatBangkokTime(now).slice(-5)
}

/** The queue has one filter, so a mail with several links the report. */
function queueLink(filters: readonly ReportMailFilterSelection[], links: MailLinkBuilder) {
  const [filter] = filters
  return filters.length === 1 && filter
    ? { text: 'ไล่ดูใหม่', url: links.page(getMorningQueuePath(filter)) }
    : { text: 'เปิดรายงาน', url: links.page('/report') }
}

function filterNamesText(filterMatches: readonly FilterMatches[]): string {
  const [first, ...otherFilters] = filterMatches
  const name = first?.filter.name ?? ''
  return otherFilters.length === 0 ? name : `${name} และอีก ${otherFilters.length} ตัวกรอง`
}

function filterBlock(
  filter: ReportMailFilterSelection,
  ids: readonly string[],
  archived: ReadonlySet<string>,
  links: MailLinkBuilder,
): ReportMailFilter {
  // A filter may match active and archived projects, but a URL shows only one of these scopes.
  const tabs = [false, true].map((isArchived) =>
    buildProjectListPaths(
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

function sectionLinks({ ids }: MailSection, archived: ReadonlySet<string>, links: MailLinkBuilder) {
  const text = `เปิดทั้ง ${ids.length.toLocaleString('en-US')} โครงการในรายงาน`
  const paths = [false, true].flatMap((isArchived) => {
    const idsOfTab = ids.filter((id) => archived.has(id) === isArchived)
    return buildProjectListPaths(idsOfTab, isArchived) ?? ['/report']
  })
  return paths.map((path, i) => ({
    text: paths.length === 1 ? text : `${text} ชุดที่ ${i + 1}`,
    url: links.page(path),
  }))
}
