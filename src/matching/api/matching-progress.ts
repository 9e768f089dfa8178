import { type MatchingProgress, matchingProgressSchema } from '#contract/matching/matching-progress.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { keywordImpactKeys, projectKeys, reportKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { getCurrentSession, getServerTime, getSessionOwner } from '#src/lib/session-store.ts'

const POLL_INTERVAL_MS = 700
const RETRY_DELAY_MS = 5000
const MAX_FAILURES = 5

export const matchingProgressQuery = apiQueryOptions('organisations/me/matching', {
  queryKey: ['organisations', 'matching'],
  schema: matchingProgressSchema,
  staleTime: 0,
})

export const isMatchingRunning = (progress: MatchingProgress | undefined): boolean =>
  progress?.state === 'waiting' || progress?.state === 'running'

/** A report fetched less than this after a matching run ended may still show the previous result. */
const JUST_ENDED_MS = 10_000
let lastRefetchedEnd: string | null = null

/** True if a run that this tab did not follow ended within `JUST_ENDED_MS`: the page may show the previous result. */
export const hasMatchingRecentlyEnded = (progress: MatchingProgress | undefined): boolean =>
  progress?.state === 'idle' &&
  progress.finished_at !== null &&
  progress.finished_at !== lastRefetchedEnd &&
  Math.abs(getServerTime().getTime() - Date.parse(progress.finished_at)) < JUST_ENDED_MS

let isFollowing = false
let shouldPollAgain = false

/**
 * Polls the progress until no run is pending, then refetches the report and the word figures. A single follower serves
 * all callers and survives navigation, so no screen shows the result from before the change.
 */
export function pollMatchingProgress(): void {
  shouldPollAgain = true
  if (isFollowing) return
  isFollowing = true
  void pollUntilIdle(getSessionOwner(getCurrentSession())).finally(() => {
    isFollowing = false
  })
}

async function pollUntilIdle(owner: string | undefined): Promise<void> {
  let failures = 0
  while (failures < MAX_FAILURES) {
    shouldPollAgain = false
    const progress = await queryClient.query(matchingProgressQuery).catch(() => undefined)
    // The session has changed, so drop these responses, which belong to the previous user.
    if (owner === undefined || getSessionOwner(getCurrentSession()) !== owner) return
    if (progress && !isMatchingRunning(progress) && !shouldPollAgain) {
      lastRefetchedEnd = progress.finished_at
      break
    }
    failures = progress ? 0 : failures + 1
    await new Promise((resolve) => setTimeout(resolve, progress ? POLL_INTERVAL_MS : RETRY_DELAY_MS))
  }
  void queryClient.invalidateQueries({ queryKey: reportKeys.all })
  void queryClient.invalidateQueries({ queryKey: projectKeys.all })
  void queryClient.invalidateQueries({ queryKey: keywordImpactKeys.all })
}
