import { defineJob } from '#server/platform/queue/job.ts'
import { findUnmailedEnds, settleMailedEnds } from '#server/report/contract-end/contract-end-queries.ts'
import { contractEndBlocks } from '#server/report/contract-end/mail-blocks.ts'
import { followMail } from '#server/report/follow/follow-mail.ts'
import { findFollower, findUnmailed, loadFollowSettings, settleMailed } from '#server/report/follow/queries.ts'
import { FOLLOW_MAIL_JOB } from '#server/report/follow/tell-followers.ts'
import type { MailParts } from '#server/report/mail/compose.ts'

const MOST_CONTRACTS = 20
/** Changes of yesterday's load are outdated tomorrow. */
const GOOD_FOR_MS = 24 * 60 * 60 * 1000

/**
 * Writes the mail of one follower. It is queued in the transaction that marks its changes as mailed, so each change is
 * mailed once wherever the process is killed.
 */
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
    const unmailedEnds = await findUnmailedEnds(db, user, MOST_CONTRACTS)
    const { mail: wanted } = await loadFollowSettings(db, user)
    const news = follower?.isTold ? unmailed.filter(({ kind }) => wanted.includes(kind)) : []
    const contracts = follower?.isTold && wanted.includes('contract') ? unmailedEnds.total : 0
    await db.transaction(async (tx) => {
      await finish(tx)
      const last = unmailed.at(-1)
      if (last) await settleMailed(tx, user, last.id, at)
      if (unmailedEnds.upTo > 0) await settleMailedEnds(tx, user, unmailedEnds.upTo, at)
      if (!follower || news.length + contracts === 0) return
      const { mails } = parts.reportMail
      const projectOf = (id: string) => mails.link(`/report/${encodeURIComponent(id)}`)
      const list = mails.link('/report?view=contract_ends&ends_within=180')
      const ends = contractEndBlocks(contracts, unmailedEnds.rows, { list, projectOf })
      const links = { settings: mails.link('/settings?tab=notifications'), projectOf }
      const content = followMail(news, links, { contracts, ends })
      const { email: to, organisationId, userId } = follower
      const notAfter = new Date(at.getTime() + GOOD_FOR_MS)
      const dedupeKey = `follow:${user}:${last?.id ?? 0}:${unmailedEnds.upTo}`
      await mails.queue(tx, { kind: 'follow', to, content, notAfter, dedupeKey, organisationId, userId }, at)
    })
    return { user, news: news.length, contracts }
  },
})
