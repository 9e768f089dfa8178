import sql from 'sql-template-tag'
import { splitSearchByReportTab } from '#contract/report/archived-scope.ts'
import type { ReportRow } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { findProvinceByCode } from '#contract/thai/province.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import { estimatedRowsSql } from '#server/platform/engine/estimated-rows.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { activeContractEndDatesSql } from '#server/report/contract-ends-sql.ts'
import { compileReportMatcher } from '#server/report/filter/compile-report-matcher.ts'
import { presentOtherWinners } from '#server/report/present-report-page.ts'
import { resolveReportSearchScope } from '#server/report/with-resolved-searches.ts'
import type { WhoWinsScope } from './award-set.ts'

/**
 * Maximum number of projects to scan by SQL. Scanning more takes too long for a request, so only the in-process cache
 * can answer.
 */
const MAX_SCANNED_PROJECTS = 100_000
/**
 * Seconds after which a client should try again: a short time, because the cache loads a fiscal year in half a minute.
 */
const RETRY_AFTER_SECONDS = 10
const ROWS_PER_STATEMENT = 2_000

type MarketRow = {
  readonly project_id: string
  readonly name: string
  readonly dept_name: string
  readonly dept_sub_name: string
  readonly province: number | null
  readonly dept_province: number | null
  readonly status: ReportRow['status']
  readonly movement: string
  readonly criteria: string
  readonly method: string
  readonly method_type: string
  readonly is_sme: boolean
  readonly is_archived: boolean
  readonly moved: string | null
  readonly budget: number | null
  readonly estimate: number | null
  readonly winner: number | null
  readonly winner_name: string | null
  readonly other_winners: string | null
  readonly drafted: string | null
  readonly discussed: string | null
  readonly invited: string | null
  readonly submitted: string | null
  readonly announced: string | null
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
  const context = { ...NO_CONTEXT, today: scope.today, packageProvinces }
  const matchingIds: string[] = []
  let lastId = ''
  for (;;) {
    const rows: MarketRow[] = await db.query<MarketRow>(sql`
      select p.project_id, p.name, d.name as dept_name, d.sub_name as dept_sub_name, p.project_province as province, d.province as dept_province,
        p.status, p.movement, p.criteria, p.method, p.method_type, p.is_sme, p.is_archived, p.movement_on as moved, p.budget_satang as budget, p.estimate_satang as estimate,
        p.winner_satang as winner, p.winner_name, p.other_winners, p.draft_published_on as drafted, p.draft_discussion_ends_on as discussed,
        p.bidding_invited_on as invited, p.submission_ends_on as submitted, p.winner_announced_on as announced, (${activeContractEndDatesSql()}) as contract_ends
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

const baht = (satang: number | null) => (satang === null ? null : satang / 100)
const province = (code: number | null) => (code === null ? null : (findProvinceByCode(code)?.th ?? null))

function toReportRow(row: MarketRow): ReportRow {
  const { project_id, name, dept_name, dept_sub_name, status, movement, criteria, method, method_type, is_sme } = row
  return {
    project_id,
    name,
    dept_name,
    dept_sub_name,
    status,
    movement,
    criteria,
    method,
    method_type,
    is_sme,
    ...(row.contract_ends ? { contract_ends: row.contract_ends } : {}),
    is_archived: row.is_archived,
    winner_name: row.winner_name,
    ...presentOtherWinners(row),
    budget: baht(row.budget),
    estimate_budget: baht(row.estimate),
    winner_budget: baht(row.winner),
    project_province: province(row.province),
    dept_province: province(row.dept_province),
    movement_date: row.moved,
    draft_published_date: row.drafted,
    draft_discussion_end_date: row.discussed,
    bidding_invite_date: row.invited,
    submission_end_date: row.submitted,
    winner_announce_date: row.announced,
    change_status: 'no_change',
    changes: [],
    matched_words: [],
    matched_by: [],
    match_reasons: [],
    rescued_from: null,
    deep: null,
    dept_region: null,
    project_region: null,
    submission_time: null,
    winner_count: 0,
    remark: null,
    attachments: [],
    pursuit: null,
  }
}
