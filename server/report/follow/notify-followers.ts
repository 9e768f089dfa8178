import { z } from 'zod/mini'
import { flagNaturalPersons, getTenderPartyKeys } from '#contract/catalogue/company-name.ts'
import { addDays } from '#contract/thai/thai-date.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { getNextMorning } from '#server/platform/mail/morning.ts'
import { enqueueJobs } from '#server/platform/queue/enqueue-jobs.ts'
import type { JobType } from '#server/platform/queue/job.ts'
import { getProjectLinkKind } from '#server/report/project/find-linked-projects.ts'
import {
  type FollowUpdate,
  findAgencyFollowUpdates,
  findCompanyFollows,
  findNewlyAwardedProjects,
  findRelatedProjectPairs,
  storeFollowUpdates,
} from './follow-update-queries.ts'
import { notifyFollowersOfRetenders } from './notify-retenders.ts'

const payload = z.object({ user: z.number() })
export const FOLLOW_MAIL_JOB_TYPE: JobType<z.output<typeof payload>> = { kind: 'follow_mail', payload }

/** Awards may be published days late, so an award up to this many days before the follow still triggers a notification. */
const MAX_AWARD_DELAY_DAYS = 7

/**
 * Notifies followers of what a load changed. Runs in the publishing transaction, after matching, so a load that is
 * killed notifies no one and a repeated load notifies once. Emails are sent the next morning at 08:30, one per night.
 * Returns the number of notifications.
 */
export async function notifyFollowers(tx: Db, loadId: number, at: Date): Promise<number> {
  const updates: FollowUpdate[] = [
    ...(await findAgencyFollowUpdates(tx, loadId)),
    ...(await findCompanyUpdates(tx, loadId)),
    ...(await findRelatedProjectUpdates(tx, loadId)),
  ]
  const retenderCount = await notifyFollowersOfRetenders(tx, loadId, at)
  if (updates.length === 0) return retenderCount
  await enqueueFollowMails(tx, await storeFollowUpdates(tx, updates, at), at)
  return updates.length + retenderCount
}

export async function enqueueFollowMails(
  tx: Db,
  users: readonly { readonly userId: number; readonly organisationId: number }[],
  at: Date,
): Promise<void> {
  const runAt = getNextMorning(at)
  await enqueueJobs(
    tx,
    FOLLOW_MAIL_JOB_TYPE,
    users.map(({ userId, organisationId }) => {
      const ids = { key: String(userId), dedupeKey: String(userId), organisationId, userId }
      return { ...ids, payload: { user: userId }, at, runAt }
    }),
  )
}

async function findCompanyUpdates(tx: Db, loadId: number): Promise<FollowUpdate[]> {
  const updates: FollowUpdate[] = []
  for (const { project_id: projectId, won_on: wonOn, parties } of await findNewlyAwardedProjects(tx, loadId)) {
    const identities = getTenderPartyKeys(parties)
    // A natural person may have the same name as a followed shop without being the shop.
    const people = flagNaturalPersons(parties, identities)
    const keys = identities.filter((key, index): key is string => key !== undefined && !people[index])
    for (const { followed_on: since, ...follow } of await findCompanyFollows(tx, projectId, keys))
      if (wonOn >= addDays(since, -MAX_AWARD_DELAY_DAYS)) updates.push({ ...follow, project_id: projectId })
  }
  return updates
}

async function findRelatedProjectUpdates(tx: Db, loadId: number): Promise<FollowUpdate[]> {
  return (await findRelatedProjectPairs(tx, loadId)).flatMap(({ own: followed, other: related, ...follower }) => {
    const kind = getProjectLinkKind(followed, related)
    if (kind === undefined || kind === 'similar') return []
    return [{ ...follower, kind: 'project', key: followed.project_id, project_id: related.project_id }]
  })
}
