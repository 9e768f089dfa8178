import sql from 'sql-template-tag'
import { EMPTY_QUALIFICATIONS } from '#contract/account/qualification.ts'
import { splitSearchByReportTab } from '#contract/report/archived-scope.ts'
import type { ReportRow } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { loadQualifications } from '#server/account/qualification/queries.ts'
import { activeContractEndDatesSql } from '#server/catalogue/contract/contract-ends-sql.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import { estimatedRowsSql } from '#server/platform/engine/estimated-rows.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { compileReportMatcher } from '#server/report/filter/report-filters.ts'
import type { StoredReportProject } from '#server/report/report-queries.ts'
import { presentFacts, presentOtherWinners } from '#server/report/report-rows.ts'
import { PROJECT_COLUMNS_SQL } from '#server/report/report-rows-sql.ts'
import { resolveReportSearchScope } from '#server/report/resolve-report-search-scope.ts'
import type { WhoWinsScope } from './award-set.ts'

/**
 * Maximum number of projects to scan by SQL. Scanning more takes too long for a request, so only the in-process cache
 * can answer.
 */
export const MAX_SCANNED_PROJECTS = 100_000
/**
 * Seconds after which a client should try again: a short time, because the cache loads a fiscal year in half a minute.
 */
const RETRY_AFTER_SECONDS = 10
const ROWS_PER_STATEMENT = 2_000

type MarketRow = StoredReportProject & {
  readonly project_id: string
  readonly contract_ends: string[] | null
}

const NO_CONTEXT = {
  bookmarks: new Set<string>(),
  labels: new Map<string, string[]>(),
  teamLabels: new Map<string, string[]>(),
  hidden: new Set<string>(),
  sinceVisit: new Set<string>(),
  packageProvinces: new Set<number>(),
  isMeant: () => false,
  isInDocuments: () => false,
}

/**
 * Throws `unavailable` (503) if there are more projects than SQL can count within a request: 716,938 take 15 s. The
 * error lasts only until the in-process cache has loaded the projects after a start.
 */
export function rejectOversizedProjectScan(projects: number): void {
  if (projects > MAX_SCANNED_PROJECTS)
    throw new ProblemError('unavailable', {
      text: 'กำลังเตรียมข้อมูล ลองใหม่ในอีกสักครู่',
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    })
}

/**
 * Returns ids of all projects that match a search, regardless of watch lists, by evaluating its filters row by row
 * (server/report/filter/report-filters.ts). Fast enough for the demo data; a whole year gets `unavailable` (503) until the
 * in-process cache is loaded.
 */
export async function findMarketProjects(db: Db, search: ReportSearch, scope: WhoWinsScope): Promise<string[]> {
  const [estimate] = await db.query<{ projects: number }>(sql`select ${estimatedRowsSql('projects')} as projects`)
  rejectOversizedProjectScan(estimate!.projects)
  const tests = splitSearchByReportTab(search).map(compileReportMatcher)
  const { packageProvinces = NO_CONTEXT.packageProvinces } = await resolveReportSearchScope(db, [search], scope)
  const bidder = search.project_eligibility__in
    ? await loadQualifications(db, scope.organisationId)
    : EMPTY_QUALIFICATIONS
  const context = { ...NO_CONTEXT, today: scope.today, packageProvinces, bidder }
  const matchingIds: string[] = []
  let lastId = ''
  for (;;) {
    const rows: MarketRow[] = await db.query<MarketRow>(sql`
      select p.project_id, ${PROJECT_COLUMNS_SQL}, (${activeContractEndDatesSql()}) as contract_ends
      from projects p join departments d on d.id = p.department_id
      where p.project_id > ${lastId}::text
      order by p.project_id limit ${ROWS_PER_STATEMENT}::int`)
    for (const row of rows) {
      const reportRow = toReportRow(row)
      if (tests.some((test) => test(reportRow, context))) matchingIds.push(row.project_id)
    }
    if (rows.length < ROWS_PER_STATEMENT) return matchingIds
    lastId = rows.at(-1)!.project_id
    await yieldToEventLoop()
  }
}

function toReportRow(row: MarketRow): ReportRow {
  return {
    project_id: row.project_id,
    ...presentFacts(row),
    ...(row.contract_ends ? { contract_ends: row.contract_ends } : {}),
    ...presentOtherWinners(row),
    change_status: 'no_change',
    changes: [],
    matched_words: [],
    matched_by: [],
    match_reasons: [],
    rescued_from: null,
    deep: null,
    attachments: [],
    pursuit: null,
  }
}
