import { formatMorningFigures } from '#contract/report/morning-queue.ts'
import { getReportMailTime } from '#contract/report/report-mail.ts'
import { addDays, formatBangkokTime, formatThaiDateShortOrOriginal, getBangkokToday } from '#contract/thai/thai-date.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { getMondayOfWeek } from '#contract/thai/working-day.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { MailContent } from '#server/platform/mail/render-mail.ts'
import { type ReportMailFilter, renderReportMail } from '#server/platform/mail/render-report-mail.ts'
import type { OutgoingMailQueue } from '#server/platform/route/outgoing-mail.ts'
import { formatWeekFigures } from '#server/report/morning-queue/week-figures.ts'
import { createMailLinkBuilder, type MailLinkBuilder } from './build-mail-links.ts'
import { findReportMailMatches, type ReportMailProjectCache, type ReportTabCounts } from './find-report-mail-matches.ts'
import {
  findDataPublicationTime,
  findDeletedSavedFilterParts,
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
import { loadReportMailRows, type ReportMailQueries } from './report-mail-rows.ts'

export type ReportMailDependencies = {
  readonly reader: ReportMailQueries
  readonly mails: OutgoingMailQueue
  readonly tokens: MailLinkTokens
}

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

type FilterMatches = {
  readonly filter: ReportMailFilterSelection
  readonly ids: ReadonlySet<string>
  readonly unlisted: ReportTabCounts
}

export async function composeReportMail(
  db: Db,
  parts: ReportMailDependencies,
  recipient: ReportMailRecipient,
  { loadIds, now, cache = {} }: ComposeReportMailOptions,
): Promise<MailContent | undefined> {
  const { userId, organisationId } = recipient
  const today = getBangkokToday(now)
  const { filters, unreadable } = getReportMailFilters(recipient)
  const visit = await parts.reader.previousVisit(db, userId, now)
  const scope = { organisationId, userId, today, visit }
  const searches = filters.map(({ search }) => search)
  const matches = await findReportMailMatches(db, parts.reader, { searches, scope, loadIds, now, cache })
  const candidates = matches.projects.map((candidate) => ({
    ...candidate,
    is_new: candidate.is_new || isUnreported(candidate, recipient.lastMailAt),
  }))
  // A second email on the same day does not list the deadlines again.
  const showsDeadlines = recipient.lastMailAt === null || getBangkokToday(new Date(recipient.lastMailAt)) !== today
  const { active, archived: delivered } = matches.unlisted
  const sections = groupIntoMailSections(candidates, showsDeadlines, active + delivered)
  const deletedParts = await findDeletedSavedFilterParts(db, userId)
  if (sections.length === 0 && deletedParts.length === 0) return undefined

  const inMail = new Set(sections.flatMap(({ ids }) => ids))
  const filterMatches: FilterMatches[] = filters.flatMap((filter, i) => {
    const { ids, unlisted } = matches.bySearch[i]!
    const idsInMail = ids.filter((id) => inMail.has(id))
    return idsInMail.length === 0 ? [] : [{ filter, ids: new Set(idsInMail), unlisted }]
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
  const morning = isNotice ? '' : formatMorningFigures(await parts.reader.reportsOf(db).figures(searches, scope))
  const isMonday = getMondayOfWeek(today) === today
  const week =
    isMonday && showsDeadlines ? formatWeekFigures(await parts.reader.weekFigures(db, scope, now)) : undefined
  return renderReportMail({
    subject: isNotice
      ? BROKEN_FILTER_SUBJECT
      : `${morning || formatMailSubjectCounts(sections)} – ${filterNamesText(filterMatches)}`,
    preview: isNotice
      ? deletedParts[0]!.what
      : morning || sections.map(({ name, count }) => `${SECTION_TITLES[name]} ${count}`).join(' · '),
    title: `รายงานโครงการ ${formatThaiDateShortOrOriginal(today)}`,
    figures: [
      ...(morning === '' ? [] : [{ text: `เช้านี้: ${morning}`, link: queueLink(filters, links) }]),
      ...(week === undefined
        ? []
        : [{ text: `${week} (ใหม่ใน 7 วันที่ผ่านมา ปิดถึง ${formatThaiDateShortOrOriginal(addDays(today, 6))})` }]),
    ],
    filters: filterMatches.map((filtered) => filterBlock(filtered, archived, links)),
    notes: [
      ...deletedParts.map(({ filter, what }) => `ตัวกรอง “${filter}”: ${what} จึงอาจไม่พบโครงการใดอีก แก้ตัวกรองนี้หรือหยุดส่ง`),
      ...unreadable.map((name) => `ตัวกรอง “${name}” มีส่วนที่อ่านไม่ได้แล้ว จึงไม่มีในอีเมลนี้ เปิดในรายงานแล้วบันทึกใหม่`),
      `ข้อมูลนำเข้า ${formatBangkokTime(new Date(await findDataPublicationTime(db, loadIds)))} น. อีเมลนี้ส่งทุกเช้า ${mailTimeOf(recipient)} น. เมื่อมีงานใหม่`,
    ],
    sections: sections.map((section) => ({
      title: SECTION_TITLES[section.name],
      count: section.count,
      rows: section.shownIds.flatMap((id) => rows.get(id) ?? []),
      all: sectionLinks(section, archived, { links, unlisted: matches.unlisted }),
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

function isUnreported({ documented_at }: ReportMailProject, lastMailAt: string | null): boolean {
  if (!documented_at) return false
  return lastMailAt === null || new Date(documented_at) > new Date(lastMailAt)
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
  { filter, ids, unlisted }: FilterMatches,
  archived: ReadonlySet<string>,
  links: MailLinkBuilder,
): ReportMailFilter {
  const tabs = buildTabPaths([...ids], archived, unlisted)
  const paths = tabs.includes(undefined) ? [] : tabs.flatMap((tab) => tab ?? [])
  const count = formatCount(ids.size + unlisted.active + unlisted.archived)
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

const NO_UNLISTED: ReportTabCounts = { active: 0, archived: 0 }

function sectionLinks(
  { name, count, ids }: MailSection,
  archived: ReadonlySet<string>,
  { links, unlisted }: { readonly links: MailLinkBuilder; readonly unlisted: ReportTabCounts },
) {
  const text = `เปิดทั้ง ${formatCount(count)} โครงการในรายงาน`
  const tabs = buildTabPaths(ids, archived, name === 'new' ? unlisted : NO_UNLISTED)
  const paths = tabs.flatMap((tab) => tab ?? ['/report'])
  return paths.map((path, i) => ({
    text: paths.length === 1 ? text : `${text} ชุดที่ ${i + 1}`,
    url: links.page(path),
  }))
}

/**
 * Returns the URLs that show these projects, per scope, because a URL shows only active or only archived projects.
 * Undefined for a scope with too many, or with projects that are only counted.
 */
function buildTabPaths(
  ids: readonly string[],
  archived: ReadonlySet<string>,
  unlisted: ReportTabCounts,
): (readonly string[] | undefined)[] {
  const idsOfTab = (isArchived: boolean) => ids.filter((id) => archived.has(id) === isArchived)
  return [
    unlisted.active > 0 ? undefined : buildProjectListPaths(idsOfTab(false), false),
    unlisted.archived > 0 ? undefined : buildProjectListPaths(idsOfTab(true), true),
  ]
}
