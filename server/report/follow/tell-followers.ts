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
} from './queries-news.ts'

const payload = z.object({ user: z.number() })
/** One mail of what is new of what a user follows. */
export const FOLLOW_MAIL_JOB: JobType<z.output<typeof payload>> = { kind: 'follow_mail', payload }

/** An award may be published some days after it was made, and was not news to who followed in between. */
const AWARD_DAYS = 7

/**
 * Tells followers what a load brought, in the transaction that publishes it and after its matching: a load that is killed tells nothing, one that is run
 * again tells each thing once. Their mail is written the next morning at 08:30, however many loads a night had. Answers how many things were told.
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

/** Asks for the mail of the next morning, 08:30, to each of these users: one, whatever it has to tell. */
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
    // A person bears the name of a followed shop, and is not the shop.
    const people = naturalPeopleAmong(parties, identities)
    const keys = identities.filter((key, index): key is string => key !== undefined && !people[index])
    for (const { followed_on: since, ...follow } of await findCompanyFollows(tx, projectId, keys))
      if (wonOn >= addDays(since, -AWARD_DAYS)) news.push({ ...follow, project_id: projectId })
  }
  return news
}

/** Other runs of a followed purchase, and the same in another year; what is merely similar is not told. */
async function relativeNews(tx: Db, loadId: number): Promise<News[]> {
  return (await findRelativesToCompare(tx, loadId)).flatMap(({ own, other, ...follower }) => {
    const kind = linkKind(own, other)
    if (kind === undefined || kind === 'similar') return []
    return [{ ...follower, kind: 'project', key: own.project_id, project_id: other.project_id }]
  })
}
