import { defineJob } from '#server/platform/queue/job.ts'
import { buildContractEndMailBlocks } from '#server/report/contract-end/build-contract-end-mail-blocks.ts'
import { findUnmailedContractEnds, markContractEndsMailed } from '#server/report/contract-end/contract-end-queries.ts'
import { composeFollowMail } from '#server/report/follow/compose-follow-mail.ts'
import { FOLLOW_MAIL_JOB_TYPE } from '#server/report/follow/notify-followers.ts'
import {
  findFollowMailRecipient,
  findUnmailedFollowUpdates,
  loadFollowSettings,
  markFollowUpdatesMailed,
} from '#server/report/follow/queries.ts'
import type { ReportMailDependencies } from '#server/report/mail/compose-report-mail.ts'

const MAX_CONTRACTS = 20
/** Lifetime of the job: by tomorrow, the changes of yesterday's load are outdated. */
const VALIDITY_MS = 24 * 60 * 60 * 1000

/**
 * Writes the email to one follower. The email is queued in the transaction that marks its changes as sent, so each
 * change is sent once wherever the process is killed.
 */
export const followUpdateMailJob = defineJob<
  { user: number },
  { readonly reportMail: Pick<ReportMailDependencies, 'mails'> }
>({
  ...FOLLOW_MAIL_JOB_TYPE,
  concurrency: 1,
  maxAttempts: 10,
  backoff: { firstMs: 5_000, maxMs: 30 * 60 * 1000 },
  diesQuietly: true,
  async run({ db, parts, now, finish }, { user }) {
    const at = now()
    const follower = await findFollowMailRecipient(db, user)
    const unmailed = await findUnmailedFollowUpdates(db, user)
    const unmailedEnds = await findUnmailedContractEnds(db, user, MAX_CONTRACTS)
    const { mail: mailedKinds } = await loadFollowSettings(db, user)
    const changes = follower?.isNotifiable ? unmailed.filter(({ kind }) => mailedKinds.includes(kind)) : []
    const contracts = follower?.isNotifiable && mailedKinds.includes('contract') ? unmailedEnds.total : 0
    await db.transaction(async (tx) => {
      await finish(tx)
      const lastChange = unmailed.at(-1)
      if (lastChange) await markFollowUpdatesMailed(tx, user, lastChange.id, at)
      if (unmailedEnds.upTo > 0) await markContractEndsMailed(tx, user, unmailedEnds.upTo, at)
      if (!follower || changes.length + contracts === 0) return
      const { mails } = parts.reportMail
      const projectOf = (id: string) => mails.link(`/report/${encodeURIComponent(id)}`)
      const list = mails.link('/report?view=contract_ends&ends_within=180')
      const endBlocks = buildContractEndMailBlocks(contracts, unmailedEnds.rows, { list, projectOf })
      const links = { settings: mails.link('/settings?tab=notifications'), projectOf }
      const content = composeFollowMail(changes, links, { contracts, ends: endBlocks })
      const { email: to, organisationId, userId } = follower
      const notAfter = new Date(at.getTime() + VALIDITY_MS)
      const dedupeKey = `follow:${user}:${lastChange?.id ?? 0}:${unmailedEnds.upTo}`
      await mails.queue(tx, { kind: 'follow', to, content, notAfter, dedupeKey, organisationId, userId }, at)
    })
    return { user, news: changes.length, contracts }
  },
})
