import { z } from 'zod/mini'
import { identitiesOf, naturalPeopleAmong } from '#contract/catalogue/company-name.ts'
import { addDays } from '#contract/thai/thai-date.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { nextMorning } from '#server/platform/mail/morning.ts'
import { enqueueAll } from '#server/platform/queue/enqueue.ts'
import type { JobType } from '#server/platform/queue/job.ts'
import { linkKind } from '#server/report/project/linked-projects.ts'
import { notifyAnnouncedAnew } from './announced-anew.ts'
import {
  findAgencyNews,
  findCompanyFollows,
  findRelativesToCompare,
  findWonProjects,
  type News,
  storeNews,
} from './follow-news-queries.ts'

const payload = z.object({ user: z.number() })
export const FOLLOW_MAIL_JOB: JobType<z.output<typeof payload>> = { kind: 'follow_mail', payload }

/** Awards may be published days later, so an award up to this many days before the follow is still news. */
const AWARD_DAYS = 7

/**
 * Notifies followers of a load, in the publishing transaction, after matching: a killed load notifies of nothing and a
 * repeated one once. Mails are sent the next morning at 08:30, one per night. Returns the number of notifications.
 */
export async function tellFollowers(tx: Db, loadId: number, at: Date): Promise<number> {
  const news: News[] = [
    ...(await findAgencyNews(tx, loadId)),
    ...(await companyNews(tx, loadId)),
    ...(await relativeNews(tx, loadId)),
  ]
  const anew = await notifyAnnouncedAnew(tx, loadId, at)
  if (news.length === 0) return anew
  await askForFollowMails(tx, await storeNews(tx, news, at), at)
  return news.length + anew
}

/** Enqueues one mail per user for the next morning, 08:30. */
export async function askForFollowMails(
  tx: Db,
  users: readonly { readonly userId: number; readonly organisationId: number }[],
  at: Date,
): Promise<void> {
  const runAt = nextMorning(at)
  await enqueueAll(
    tx,
    FOLLOW_MAIL_JOB,
    users.map(({ userId, organisationId }) => {
      const of = { key: String(userId), dedupeKey: String(userId), organisationId, userId }
      return { ...of, payload: { user: userId }, at, runAt }
    }),
  )
}

async function companyNews(tx: Db, loadId: number): Promise<News[]> {
  const news: News[] = []
  for (const { project_id: projectId, won_on: wonOn, parties } of await findWonProjects(tx, loadId)) {
    const identities = identitiesOf(parties)
    // A natural person may share the name of a followed shop without being the shop.
    const people = naturalPeopleAmong(parties, identities)
    const keys = identities.filter((key, index): key is string => key !== undefined && !people[index])
    for (const { followed_on: since, ...follow } of await findCompanyFollows(tx, projectId, keys))
      if (wonOn >= addDays(since, -AWARD_DAYS)) news.push({ ...follow, project_id: projectId })
  }
  return news
}

/** Re-runs and yearly repeats of a followed purchase; merely similar projects are skipped. */
async function relativeNews(tx: Db, loadId: number): Promise<News[]> {
  return (await findRelativesToCompare(tx, loadId)).flatMap(({ own, other, ...follower }) => {
    const kind = linkKind(own, other)
    if (kind === undefined || kind === 'similar') return []
    return [{ ...follower, kind: 'project', key: own.project_id, project_id: other.project_id }]
  })
}
