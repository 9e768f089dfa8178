import sql, { type Sql } from 'sql-template-tag'
import type { FitEvidence } from '#contract/matching/fit.ts'
import {
  type FitEvidenceKind,
  type FitExample,
  type FitProject,
  learnFitProfile,
  mergeFitExamples,
} from '#server/matching/fit/learn-fit-profile.ts'
import { type FitCandidate, scoreFit } from '#server/matching/fit/score-fit.ts'
import { LATEST_DATA_LOAD_ID_SQL } from '#server/matching/latest-loads.ts'
import { TimeSlicer } from '#server/matching/time-slicer.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { usesDemoSchema } from '#server/platform/engine/tenant.ts'
import { SharedResultCache } from '#server/platform/route/shared-result-cache.ts'
import { purchasingUnitsWithAgencySql } from '#server/platform/text/agency-sql.ts'
import { bidStateSql, matchVersionSql, pursuitBoardVersionSql, pursuitEvidenceSql } from '#server/report/match-sql.ts'
import type { FitRanking, ReportScope } from '#server/report/report-queries.ts'

type Viewer = Pick<ReportScope, 'organisationId' | 'userId'>

/** Newest examples of each kind: older ones do not change the order. */
const MAX_EXAMPLES = 200
/** e-GP has about 5,000 invitations open at a time. Scoring one project takes 20 µs. */
export const MAX_FIT_CANDIDATES = 10_000

/** `tax_id`: of the organisation, as stated among its qualifications. */
type FitVersions = { readonly tax_id: string | null; readonly evidence: string; readonly candidates: string }

const marksVersion = (table: Sql, userId: number) => sql`(
  select count(*) || ' ' || coalesce(bit_xor(hashtextextended(t.project_id, 0)), 0) from ${table} t where t.user_id = ${userId}::int)`

async function readFitVersions(db: Db, { organisationId, userId }: Viewer): Promise<FitVersions> {
  const [row] = await db.query<{ tax_id: string | null; evidence: (string | null)[]; candidates: (string | null)[] }>(
    sql`
    select (select q.profile ->> 'tax_id' from qualifications q where q.organisation_id = ${organisationId}::int) as tax_id,
      json_build_array(${pursuitBoardVersionSql(organisationId)}, ${marksVersion(sql`bookmarks`, userId)}, ${marksVersion(sql`hidden_projects`, userId)},
        ${LATEST_DATA_LOAD_ID_SQL}) as evidence,
      json_build_array(
        (select v.version::text from project_version v),
        ${matchVersionSql(organisationId)}
      ) as candidates`,
    { name: 'report_fit_versions' },
  )
  const { tax_id: taxId, evidence, candidates } = row!
  return { tax_id: taxId, evidence: JSON.stringify([taxId, evidence]), candidates: JSON.stringify(candidates) }
}

const PROJECT_COLUMNS = sql`p.project_id, p.name_spaced, p.department_id, p.project_province, p.budget_satang`

/** Selects the projects of the CTE `found` with their agencies as `FitProject`; `columns` of `f` are added. */
const foundProjectsSql = (columns: Sql): Sql => sql`
  select f.project_id, f.name_spaced, d.name as dept_name, d.sub_name as dept_sub_name, d.province as dept_province, d.agency,
    f.project_province, f.budget_satang, ${columns}
  from found f
  join ${purchasingUnitsWithAgencySql(sql`unit.id in (select x.department_id from found x)`)} d on d.id = f.department_id`

const markedBy = (table: Sql, kind: FitEvidenceKind, userId: number) => sql`(
  select t.project_id, ${kind}::text as kind from ${table} t where t.user_id = ${userId}::int
  order by t.created_at desc, t.project_id limit ${MAX_EXAMPLES}::int)`

async function loadFitExamples(
  db: Db,
  { organisationId, userId }: Viewer,
  taxId: string | null,
): Promise<FitExample[]> {
  const rows = await db.query<FitProject & { kind: FitEvidenceKind }>(sql`
    with found as materialized (
      select e.kind, ${PROJECT_COLUMNS}
      from (
        (
          select f.project_id, 'won' as kind from company_projects f join companies c on c.id = f.company_id
          where c.tax_id = ${taxId}::text and f.is_winner
          order by coalesce(f.decided_on, f.happened_on) desc nulls last, f.project_id desc limit ${MAX_EXAMPLES}::int
        )
        union all (select c.project_id, c.kind from (${pursuitEvidenceSql(organisationId)}) c order by c.at desc, c.project_id limit ${MAX_EXAMPLES}::int)
        union all ${markedBy(sql`bookmarks`, 'starred', userId)}
        union all ${markedBy(sql`hidden_projects`, 'hidden', userId)}
      ) e
      join projects p on p.project_id = e.project_id
    )
    ${foundProjectsSql(sql`f.kind`)}
    order by f.project_id, f.kind`)
  return rows.map(({ kind, ...project }) => ({ kind, project }))
}

/** Returns the newest projects of the report that can still be acted on; `ids`: their ids, if found in memory. */
export async function loadFitCandidates(
  db: Db,
  { organisationId, today }: Pick<ReportScope, 'organisationId' | 'today'>,
  ids?: readonly string[],
): Promise<FitCandidate[]> {
  const selection = ids
    ? sql`select unnest(${[...ids]}::text[]) as project_id`
    : sql`
      select m.project_id from report_matches m
      where m.organisation_id = ${organisationId}::int and not m.is_archived and (${bidStateSql({ today })}) in ('open', 'upcoming')
      order by m.movement_on desc nulls last, m.project_id limit ${MAX_FIT_CANDIDATES}::int`
  return db.query<FitCandidate>(sql`
    with found as materialized (
      select ${PROJECT_COLUMNS}, p.submission_ends_on - ${today}::date as days_left
      from (${selection}) m
      join projects p on p.project_id = m.project_id
    )
    ${foundProjectsSql(sql`f.days_left as "daysLeft"`)}
    order by f.project_id`)
}

/** Bytes of a project and of a score. A report has up to `MAX_FIT_CANDIDATES` projects. */
const CANDIDATE_BYTES = 600
const SCORE_BYTES = 100
const MAX_CANDIDATE_BYTES = 80_000_000
const MAX_RANKING_BYTES = 64_000_000
/** Keys and evidence, without the scores. */
const MIN_RANKING_BYTES = 1_000

const createCaches = () => ({
  candidates: new SharedResultCache<readonly FitCandidate[]>({
    maxBytes: MAX_CANDIDATE_BYTES,
    bytesOf: (candidates) => candidates.length * CANDIDATE_BYTES,
  }),
  rankings: new SharedResultCache<FitRanking>({
    maxBytes: MAX_RANKING_BYTES,
    bytesOf: ({ scores }) => MIN_RANKING_BYTES + (scores?.size ?? 0) * SCORE_BYTES,
  }),
})
const cachesByDb = new WeakMap<Db, ReturnType<typeof createCaches>>()

function getCaches(db: Db): ReturnType<typeof createCaches> {
  const caches = cachesByDb.get(db) ?? createCaches()
  cachesByDb.set(db, caches)
  return caches
}

/** Selects the projects to order in memory instead of in the database, which may already have a newer `version`. */
export type FitCandidateSource = { readonly version: string; readonly find: () => readonly string[] }

/**
 * Scores the projects of the organisation's report that are open or upcoming. Cached until the evidence, the projects
 * or the day change; private to the user, whose stars and hidden projects no colleague may infer.
 */
export async function rankByFit(
  db: Db,
  scope: Pick<ReportScope, 'organisationId' | 'userId' | 'today'>,
  memory?: FitCandidateSource,
): Promise<FitRanking> {
  const { organisationId, userId, today } = scope
  const versions = await readFitVersions(db, scope)
  const caches = getCaches(db)
  const candidatesVersion = memory?.version ?? versions.candidates
  const candidatesKey = JSON.stringify([usesDemoSchema(), organisationId, today, candidatesVersion])
  const rankingKey = JSON.stringify([candidatesKey, userId, versions.evidence])
  const computeRanking = async () => {
    const examples = await loadFitExamples(db, scope, versions.tax_id)
    const candidates = await (caches.candidates.get(candidatesKey) ??
      caches.candidates.add(candidatesKey, loadFitCandidates(db, scope, memory?.find())))
    return rank(mergeFitExamples(examples), candidates, versions.tax_id !== null)
  }
  return caches.rankings.get(rankingKey) ?? caches.rankings.add(rankingKey, computeRanking())
}

async function rank(
  examples: readonly FitExample[],
  candidates: readonly FitCandidate[],
  hasCompany: boolean,
): Promise<FitRanking> {
  const profile = learnFitProfile(examples)
  const count = (kind: FitExample['kind']) => examples.filter((example) => example.kind === kind).length
  const evidence: FitEvidence = {
    won: count('won'),
    bid: count('bid'),
    starred: count('starred'),
    hidden: count('hidden'),
    no_bid: count('no_bid'),
    has_company: hasCompany,
    is_ready: profile !== undefined,
    scored: profile ? candidates.length : 0,
  }
  if (!profile) return { evidence, scores: undefined, explain: () => undefined }
  const scores = new Map<string, number>()
  const timeSlice = new TimeSlicer()
  for (const candidate of candidates) {
    scores.set(candidate.project_id, scoreFit(profile, candidate).hundredths)
    const pause = timeSlice.yieldIfDue()
    if (pause) await pause
  }
  const byId = new Map(candidates.map((candidate) => [candidate.project_id, candidate]))
  return {
    evidence,
    scores,
    explain: (projectId) => {
      const candidate = byId.get(projectId)
      if (!candidate) return undefined
      const { hundredths, reasons } = scoreFit(profile, candidate)
      return { score: Math.round(hundredths / 100), reasons: [...reasons] }
    },
  }
}
