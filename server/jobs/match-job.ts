import { isDemoApart } from '#server/account/demo/sample-only.ts'
import { pruneDeletedKeywords } from '#server/matching/keyword/change-keyword-queries.ts'
import { matchChanges } from '#server/matching/match-changes.ts'
import { MATCH_JOB, type MatchScope } from '#server/matching/match-requests.ts'
import { asOwnerApart } from '#server/platform/engine/tenant.ts'
import { defineJob } from '#server/platform/queue/job.ts'
import { tellDocumentMatches } from './document/tell-document-matches.ts'

/**
 * Rematches everything affected by changes of an organisation's rules. All pending changes of one organisation form one
 * run, on one worker at a time. An interrupted run can be repeated with the same result.
 */
export const matchJob = defineJob<MatchScope>({
  ...MATCH_JOB,
  // Rematching a whole large organisation must not block another's single word.
  concurrency: 2,
  // Ten attempts take twenty minutes; then the job pauses for a day.
  maxAttempts: 10,
  backoff: { firstMs: 1_000, longestMs: 5 * 60 * 1000 },
  reviveDays: 1,
  // The time of the last run is shown with the watch lists.
  retainsLast: true,
  merge: mergeScopes,
  async run({ db, organisationId, now, signal, confirm, progress }, scope) {
    if (organisationId === undefined) return
    const match = () => matchChanges(db, organisationId, scope, { signal, confirm, onProgress: progress })
    if (await isDemoApart(db, organisationId)) return await asOwnerApart(match)
    const since = now()
    const matched = await match()
    await tellDocumentMatches(db, organisationId, scope, { since, at: now() })
    return matched
  },
  prune: pruneDeletedKeywords,
})

export function mergeScopes(scopes: readonly MatchScope[]): MatchScope {
  const parts: Exclude<MatchScope, { all: true }>[] = []
  for (const scope of scopes) {
    if ('all' in scope) return { all: true }
    parts.push(scope)
  }
  const merged = (part: 'expressions' | 'terms' | 'units' | 'projects') => [
    ...new Set(parts.flatMap((scope) => scope[part] ?? [])),
  ]
  return {
    expressions: merged('expressions'),
    terms: merged('terms'),
    units: merged('units'),
    projects: merged('projects'),
  }
}
