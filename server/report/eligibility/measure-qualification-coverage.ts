import sql from 'sql-template-tag'
import type { Qualifications } from '#contract/account/qualification.ts'
import {
  DECIDING_QUALIFICATIONS,
  type DecidingQualification,
  type QualificationCoverage,
} from '#contract/account/qualification-coverage.ts'
import { decideEligibility, type EligibilityProject } from '#contract/report/eligibility.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { loadQualifications } from '#server/account/qualification/queries.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { splitIntoSlices } from '#server/platform/engine/process-in-batches.ts'
import { satangToBaht } from '#server/platform/text/satang-to-baht.ts'
import type { ReportEngine, ReportScope } from '#server/report/report-queries.ts'
import { getEligibilityKey, getEligibilityTable } from './eligibility-table.ts'

const OPEN_PROJECTS: ReportSearch = { project_bidding__in: { values: ['open'], negated: false } }
/** A year has about 45,000 open tenders, so at most a few thousand are open on one day. */
const MAX_OPEN_PROJECTS = 20_000
const IDS_PER_STATEMENT = 5_000

export async function measureQualificationCoverage(
  db: Db,
  reports: ReportEngine,
  scope: ReportScope,
): Promise<QualificationCoverage> {
  const { lists } = await reports.ids([OPEN_PROJECTS], scope, { limit: MAX_OPEN_PROJECTS })
  const [projects, bidder] = [
    await loadEligibilityProjects(db, lists[0]!.ids),
    await loadQualifications(db, scope.organisationId),
  ]
  return countCoverage(projects, bidder, scope.today)
}

export function countCoverage(
  projects: readonly EligibilityProject[],
  bidder: Qualifications,
  today: string,
): QualificationCoverage {
  const withoutAnswer = DECIDING_QUALIFICATIONS.map((field) => [field, { ...bidder, [field]: null }] as const)
  const answers = Object.fromEntries(
    DECIDING_QUALIFICATIONS.map((field) => [field, { decided: 0, waiting: 0 }]),
  ) as Record<DecidingQualification, { decided: number; waiting: number }>
  let decided = 0
  // Removing an answer only removes thresholds, so projects that the full profile decides alike stay alike.
  const table = getEligibilityTable(bidder, today)
  for (const alike of Map.groupBy(projects, (project) => getEligibilityKey(table, project)).values()) {
    const [project] = alike as [EligibilityProject]
    const { verdict, checks } = decideEligibility(project, bidder, today)
    if (verdict === 'unknown') {
      for (const field of DECIDING_QUALIFICATIONS)
        if (checks.some(({ missing }) => missing === field)) answers[field].waiting += alike.length
      continue
    }
    decided += alike.length
    for (const [field, other] of withoutAnswer)
      if (bidder[field] !== null && decideEligibility(project, other, today).verdict === 'unknown')
        answers[field].decided += alike.length
  }
  return { open: projects.length, decided, answers }
}

type StoredProject = Omit<EligibilityProject, 'budget'> & { readonly budget_satang: number | null }

async function loadEligibilityProjects(db: Db, ids: readonly string[]): Promise<EligibilityProject[]> {
  const projects: EligibilityProject[] = []
  for (const slice of splitIntoSlices(ids, IDS_PER_STATEMENT)) {
    const rows = await db.query<StoredProject>(sql`
      select p.method, p.method_type, p.budget_satang, p.bidding_invited_on as bidding_invite_date,
        p.draft_published_on as draft_published_date, p.movement_on as movement_date, p.submission_ends_on as submission_end_date
      from projects p where p.project_id = any (${[...slice]}::text[])`)
    for (const { budget_satang: satang, ...row } of rows) projects.push({ ...row, budget: satangToBaht(satang) })
  }
  return projects
}
