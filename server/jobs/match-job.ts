import { hasSeparateDemoTables } from '#server/account/demo/is-demo-data-allowed.ts'
import { pruneDeletedKeywords } from '#server/matching/keyword/change-keyword-queries.ts'
import { rematchProjectsAfterRuleChange } from '#server/matching/match-changed-rules.ts'
import { PROJECT_MATCH_JOB_TYPE, type RematchScope } from '#server/matching/match-requests.ts'
import { runInDemoSchema } from '#server/platform/engine/tenant.ts'
import { defineJob } from '#server/platform/queue/job.ts'
import { notifyDocumentMatches } from './document/notify-document-matches.ts'

/**
 * Rematches everything that changes to an organisation's rules affect. All pending changes of one organisation form one
 * run, on one worker at a time. Repeating an interrupted run gives the same result.
 */
export const projectMatchJob = defineJob<RematchScope>({
  ...PROJECT_MATCH_JOB_TYPE,
  concurrency: 2,
  // Ten attempts take twenty minutes; then the job pauses for a day.
  maxAttempts: 10,
  backoff: { firstMs: 1_000, maxMs: 5 * 60 * 1000 },
  reviveDays: 1,
  // Keep the last run of each organisation, because the watch lists show its time.
  retainsLast: true,
  merge: mergeRematchScopes,
  async run({ db, organisationId, now, signal, confirm, progress }, scope) {
    if (organisationId === undefined) return
    const match = () =>
      rematchProjectsAfterRuleChange(db, organisationId, scope, { signal, confirm, onProgress: progress })
    if (await hasSeparateDemoTables(db, organisationId)) return await runInDemoSchema(match)
    const since = now()
    const matched = await match()
    await notifyDocumentMatches(db, organisationId, scope, { since, at: now() })
    return matched
  },
  prune: pruneDeletedKeywords,
})

export function mergeRematchScopes(scopes: readonly RematchScope[]): RematchScope {
  const partialScopes: Exclude<RematchScope, { all: true }>[] = []
  for (const scope of scopes) {
    if ('all' in scope) return { all: true }
    partialScopes.push(scope)
  }
  const mergeField = (field: 'expressions' | 'terms' | 'units' | 'projects') => [
    ...new Set(partialScopes.flatMap((scope) => scope[field] ?? [])),
  ]
  return {
    expressions: mergeField('expressions'),
    terms: mergeField('terms'),
    units: mergeField('units'),
    projects: mergeField('projects'),
  }
}
