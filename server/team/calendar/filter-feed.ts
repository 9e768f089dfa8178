import { XMLBuilder } from 'fast-xml-parser'
import {
  CANCELLED_PROJECT_STATUSES,
  getChoiceLabel,
  isCancelledProjectStatus,
  PROCUREMENT_METHODS,
  PROJECT_STATUSES,
} from '#contract/catalogue/project.ts'
import { REPORT_COLUMNS, type ReportColumnField } from '#contract/catalogue/report-columns.ts'
import type { ReportRow } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { MAX_FEED_PROJECTS } from '#contract/team/calendar-feed.ts'
import { addDays, formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { splitIntoSlices } from '#server/platform/engine/process-in-batches.ts'
import { stripIllegalXml } from '#server/platform/workbook/sheet-xml.ts'
import { findProjectList, loadExportRows } from '#server/report/export/export-list.ts'
import { formatReportCsv } from '#server/report/export/write-export.ts'
import type { ReportEngine, ReportScope } from '#server/report/report-queries.ts'
import { findProjectLastChangeTimes } from './calendar-feed-queries.ts'
import { restrictSearchToCancelledProjects } from './queries.ts'

/**
 * The feed contains the specification's columns only, without stage, owner, notes, labels and watch words, because
 * anyone with the URL can read it.
 */
const COLUMNS = REPORT_COLUMNS.filter(({ isOptional }) => !isOptional).map(({ field }) => field)

/** Fewer rows are read by one statement, more by two at a time, which takes half as long. */
const MIN_ROWS_PER_STATEMENT = 1_000

type FeedSource = { readonly db: Db; readonly reports: ReportEngine }

async function readRows(
  { db, reports }: FeedSource,
  search: ReportSearch,
  scope: ReportScope,
  { limit, columns }: { readonly limit: number; readonly columns: readonly ReportColumnField[] },
) {
  const list = await findProjectList(reports, search, scope, limit)
  const size = Math.max(MIN_ROWS_PER_STATEMENT, Math.ceil(list.ids.length / 2))
  const halves = await Promise.all(
    [...splitIntoSlices(list.ids, size)].map((ids) => loadExportRows(db, scope.organisationId, ids, columns)),
  )
  return { list, rows: halves.flatMap(({ rows }) => rows) }
}

/**
 * Returns the CSV feed: export columns in filter order, at most `MAX_FEED_PROJECTS.csv` rows; a last line notes any
 * truncation.
 */
export async function formatFilterCsvFeed(
  source: FeedSource,
  search: ReportSearch,
  scope: ReportScope,
): Promise<string> {
  const { list, rows } = await readRows(source, search, scope, { limit: MAX_FEED_PROJECTS.csv, columns: COLUMNS })
  return formatReportCsv(COLUMNS, rows, { total: list.ids.length, found: list.found })
}

const day = (text: string, date: string | null) =>
  date === null ? [] : [`${text} ${formatThaiDateShortOrOriginal(date)}`]

const summaryOf = (row: ReportRow) =>
  [
    row.dept_sub_name,
    ...(row.project_province ? [row.project_province] : []),
    ...(row.budget === null ? [] : [`งบ ${row.budget.toLocaleString('en')} บาท`]),
    getChoiceLabel(PROCUREMENT_METHODS, row.method),
    getChoiceLabel(PROJECT_STATUSES, row.status),
    ...day('ยื่นข้อเสนอถึง', row.submission_end_date),
    ...(row.winner_name ? [`ผู้ชนะ ${row.winner_name}`] : []),
  ].join(' · ')

const builder = new XMLBuilder({ ignoreAttributes: false, format: true, suppressEmptyNode: true })

const CANCELLED = { values: CANCELLED_PROJECT_STATUSES, negated: false }
const CANCELLED_DAYS = 30
const MAX_CANCELLED = 30

type AtomFeed = {
  /** Identifies the feed independently of the server's host name, so that readers recognise it after a move. */
  readonly id: number
  readonly name: string
  readonly pageOf: (projectId: string) => string
}

/**
 * Returns the Atom feed: the newest `MAX_FEED_PROJECTS.atom` projects regardless of the filter's ordering, plus
 * recently cancelled ones. Deterministic. Entry ids never change, and `updated` is the time of the load that last wrote
 * the project, so that readers show changed entries again.
 */
export async function formatFilterAtomFeed(
  source: FeedSource,
  { ordering: _ordering, ...search }: ReportSearch,
  scope: ReportScope,
  { id, name, pageOf }: AtomFeed,
): Promise<string> {
  const options = { limit: MAX_FEED_PROJECTS.atom, columns: [] }
  const newest = await readRows(source, search, scope, options)
  const cancelledSearch = { ...restrictSearchToCancelledProjects(search), project_status__in: CANCELLED }
  const cancelled = await readRows(source, cancelledSearch, scope, { ...options, limit: MAX_CANCELLED })
  const byId = new Map([...newest.rows, ...cancelled.rows].map((row) => [row.project_id, row]))
  const writtenTimes = await findProjectLastChangeTimes(source.db, [...byId.keys()])
  const since = addDays(scope.today, -CANCELLED_DAYS)
  // Readers show an open tender until a newer entry marks it as cancelled.
  const rows = [...byId.values()].filter(
    (row) => !isCancelledProjectStatus(row.status) || (writtenTimes.get(row.project_id) ?? '').slice(0, 10) >= since,
  )
  const ids = rows.map((row) => row.project_id)
  const updatedOf = (projectId: string) => writtenTimes.get(projectId) ?? new Date(0).toISOString()
  const entries = rows.map((row) => ({
    id: `urn:x-tamngan:project:${encodeURIComponent(row.project_id)}`,
    title: stripIllegalXml(isCancelledProjectStatus(row.status) ? `ยกเลิก: ${row.name}` : row.name),
    updated: updatedOf(row.project_id),
    link: { '@_href': pageOf(row.project_id) },
    summary: stripIllegalXml(summaryOf(row)),
  }))
  const feed = {
    '@_xmlns': 'http://www.w3.org/2005/Atom',
    '@_xml:lang': 'th',
    id: `urn:x-tamngan:address:${id}`,
    title: stripIllegalXml(`ตามงาน: ${name}`),
    updated: ids.map(updatedOf).sort().at(-1) ?? new Date(0).toISOString(),
    author: { name: 'ตามงาน' },
    entry: entries,
  }
  return builder.build({ '?xml': { '@_version': '1.0', '@_encoding': 'UTF-8' }, feed })
}
