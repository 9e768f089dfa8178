import type { Db } from '#server/db/db.ts'
import type { MailParts } from '#server/features/report-mail/compose.ts'
import { isReportMailDue, pruneReportMails } from '#server/features/report-mail/queries-schedule.ts'
import { repeatWork, type Schedule } from './repeat-work.ts'
import { type ReportMailLog, sendReportMails } from './send-report-mails.ts'

/** A look when nobody waits costs one indexed query. */
const LOOK_EVERY_MS = 2_000
const PRUNE_EVERY_MS = 60 * 60 * 1000

/** Puts report mails together as they become due, until it is stopped; what is under way then is finished first. */
export function scheduleReportMailing(
  db: Db,
  parts: MailParts,
  log: ReportMailLog,
  now: () => Date = () => new Date(),
): Schedule {
  const failed = (error: unknown) => log.error({ err: error }, 'report mails are not put together')
  const work = repeatWork({
    everyMs: LOOK_EVERY_MS,
    async work(signal) {
      if (await isReportMailDue(db, now())) await sendReportMails({ db, parts, log, now, signal })
    },
    failed,
  })
  const pruning = repeatWork({ everyMs: PRUNE_EVERY_MS, work: () => pruneReportMails(db, now()), failed })
  return {
    async stop() {
      await Promise.all([work.stop(), pruning.stop()])
    },
  }
}
