import { followMail } from '#server/features/follow/follow-mail.ts'
import { findFollower, findUnmailed, loadFollowSettings, settleMailed } from '#server/features/follow/queries.ts'
import { FOLLOW_MAIL_JOB } from '#server/features/follow/tell-followers.ts'
import type { MailParts } from '#server/features/report-mail/compose.ts'
import { defineJob } from '#server/queue/job.ts'

/** News of yesterday's load is of no use tomorrow. */
const GOOD_FOR_MS = 24 * 60 * 60 * 1000

/** Writes the mail of one follower: queued in the transaction that marks its news, so that whatever is killed when, each is mailed once. */
export const followMailJob = defineJob<{ user: number }, { readonly reportMail: Pick<MailParts, 'mails'> }>({
  ...FOLLOW_MAIL_JOB,
  concurrency: 1,
  maxAttempts: 10,
  backoff: { firstMs: 5_000, longestMs: 30 * 60 * 1000 },
  diesQuietly: true,
  async run({ db, parts, now, finish }, { user }) {
    const at = now()
    const follower = await findFollower(db, user)
    const unmailed = await findUnmailed(db, user)
    const { mail: wanted } = await loadFollowSettings(db, user)
    const news = follower?.isTold ? unmailed.filter(({ kind }) => wanted.includes(kind)) : []
    await db.transaction(async (tx) => {
      await finish(tx)
      const last = unmailed.at(-1)
      if (last) await settleMailed(tx, user, last.id, at)
      if (!follower || news.length === 0) return
      const { mails } = parts.reportMail
      const content = followMail(news, {
        settings: mails.link('/settings?tab=notifications'),
        projectOf: (id) => mails.link(`/report/${encodeURIComponent(id)}`),
      })
      const { email: to, organisationId, userId } = follower
      const notAfter = new Date(at.getTime() + GOOD_FOR_MS)
      const dedupeKey = `follow:${user}:${last!.id}`
      await mails.queue(tx, { kind: 'follow', to, content, notAfter, dedupeKey, organisationId, userId }, at)
    })
    return { user, news: news.length }
  },
})
