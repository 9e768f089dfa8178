import { queryOptions } from '@tanstack/react-query'
import { type MatchingProgress, matchingProgressSchema } from '#contract/matching/matching-progress.ts'
import { request } from '#src/api/http/client.ts'
import { impactKeys, organisationKeys, projectKeys, reportKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { currentSession, ownerOf, serverNow } from '#src/lib/session-store.ts'

/** How often the progress is asked for while something is under way. */
const ASK_MS = 700
/** After a question without an answer, and how many of those in a row say that nobody knows. */
const PATIENT_MS = 5000
const MOST_FAILURES = 5

/** How far the matching that a change of the lists asked for has come. */
export const matchingQuery = queryOptions({
  queryKey: organisationKeys.matching,
  queryFn: ({ signal }) => request('organisations/me/matching', { schema: matchingProgressSchema, signal }),
  staleTime: 0,
})

export const isMatching = (progress: MatchingProgress | undefined): boolean =>
  progress?.state === 'waiting' || progress?.state === 'running'

/** A report that was asked for within this time before a matching ended may still be of before it. */
const JUST_ENDED_MS = 10_000
/** When the last matching ended after which this tab has asked again. */
let askedSince: string | null = null

/** Whether a matching ended a moment ago that nobody here has followed: a page that was opened meanwhile shows what was before it. */
export const hasJustEnded = (progress: MatchingProgress | undefined): boolean =>
  progress?.state === 'idle' &&
  progress.finished_at !== null &&
  progress.finished_at !== askedSince &&
  Math.abs(serverNow().getTime() - Date.parse(progress.finished_at)) < JUST_ENDED_MS

let isFollowing = false
/** A change was made while the answer to the last question was on its way. */
let askAgain = false

/**
 * Asks for the progress until nothing is under way, then for the report and the figures of the words again. One follower
 * whoever asks: it goes on when the screen that started it is left, so that no screen shows what was before the change.
 */
export function followMatching(): void {
  askAgain = true
  if (isFollowing) return
  isFollowing = true
  void follow(ownerOf(currentSession())).finally(() => {
    isFollowing = false
  })
}

async function follow(owner: string | undefined): Promise<void> {
  let failures = 0
  while (failures < MOST_FAILURES) {
    askAgain = false
    const progress = await queryClient.query(matchingQuery).catch(() => undefined)
    // Somebody else is here now, or nobody: their questions are their own.
    if (owner === undefined || ownerOf(currentSession()) !== owner) return
    if (progress && !isMatching(progress) && !askAgain) {
      askedSince = progress.finished_at
      break
    }
    failures = progress ? 0 : failures + 1
    await new Promise((resolve) => setTimeout(resolve, progress ? ASK_MS : PATIENT_MS))
  }
  void queryClient.invalidateQueries({ queryKey: reportKeys.all })
  void queryClient.invalidateQueries({ queryKey: projectKeys.all })
  void queryClient.invalidateQueries({ queryKey: impactKeys.all })
}
