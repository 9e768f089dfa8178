import type { FitEvidence } from '#contract/matching/fit.ts'
import { type FitExample, learnFitProfile, mergeFitExamples } from '#server/matching/fit/learn-fit-profile.ts'
import { type FitCandidate, scoreFit } from '#server/matching/fit/score-fit.ts'
import { TimeSlicer } from '#server/matching/time-slicer.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { usesDemoSchema } from '#server/platform/engine/tenant.ts'
import { SharedResultCache } from '#server/platform/route/shared-result-cache.ts'
import type { ReportScope } from '#server/report/report-scope.ts'
import { loadFitCandidates, loadFitExamples, readFitVersions } from './fit-queries.ts'
import type { FitRanking } from './fit-ranking.ts'

/** Bytes of a project and of a score. A report has up to `MAX_FIT_CANDIDATES` projects. */
const CANDIDATE_BYTES = 500
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

/**
 * Scores the projects of the organisation's report that are open or upcoming. Cached until the evidence, the projects
 * or the day change; private to the user, whose stars and hidden projects no colleague may infer. `findCandidates`
 * selects the projects in memory instead of in the database.
 */
export async function rankByFit(
  db: Db,
  scope: Pick<ReportScope, 'organisationId' | 'userId' | 'today'>,
  findCandidates?: () => readonly string[],
): Promise<FitRanking> {
  const { organisationId, userId, today } = scope
  const versions = await readFitVersions(db, scope)
  const caches = getCaches(db)
  const candidatesKey = JSON.stringify([usesDemoSchema(), organisationId, today, versions.candidates])
  const rankingKey = JSON.stringify([candidatesKey, userId, versions.evidence])
  const computeRanking = async () => {
    const examples = await loadFitExamples(db, scope, versions.tax_id)
    const candidates = await (caches.candidates.get(candidatesKey) ??
      caches.candidates.add(candidatesKey, loadFitCandidates(db, scope, findCandidates?.())))
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
