import { LRUCache } from 'lru-cache'
import type { FitEvidence } from '#contract/matching/fit.ts'
import { type FitExample, learnFitProfile, mergeFitExamples } from '#server/matching/fit/learn-fit-profile.ts'
import { type FitCandidate, scoreFit } from '#server/matching/fit/score-fit.ts'
import { TimeSlicer } from '#server/matching/time-slicer.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { usesDemoSchema } from '#server/platform/engine/tenant.ts'
import type { ReportScope } from '#server/report/report-scope.ts'
import { loadFitCandidates, loadFitExamples, readFitVersions } from './fit-queries.ts'
import type { FitRanking } from './fit-ranking.ts'

/** An entry takes up to 5 MB of projects and 1 MB of scores. */
const MAX_CACHED_ORGANISATIONS = 16
const MAX_CACHED_RANKINGS = 64

type Caches = {
  readonly candidates: LRUCache<string, Promise<readonly FitCandidate[]>>
  readonly rankings: LRUCache<string, Promise<FitRanking>>
}
const cachesByDb = new WeakMap<Db, Caches>()

function getCaches(db: Db): Caches {
  const caches = cachesByDb.get(db) ?? {
    candidates: new LRUCache({ max: MAX_CACHED_ORGANISATIONS }),
    rankings: new LRUCache({ max: MAX_CACHED_RANKINGS }),
  }
  cachesByDb.set(db, caches)
  return caches
}

function getOrCompute<T extends object>(
  cache: LRUCache<string, Promise<T>>,
  key: string,
  compute: () => Promise<T>,
): Promise<T> {
  const cached = cache.get(key)
  if (cached) return cached
  const computing = compute()
  cache.set(key, computing)
  computing.catch(() => cache.delete(key))
  return computing
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
  return getOrCompute(caches.rankings, rankingKey, async () => {
    const examples = await loadFitExamples(db, scope, versions.tax_id)
    const candidates = await getOrCompute(caches.candidates, candidatesKey, () =>
      loadFitCandidates(db, scope, findCandidates?.()),
    )
    return rank(mergeFitExamples(examples), candidates, versions.tax_id !== null)
  })
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
