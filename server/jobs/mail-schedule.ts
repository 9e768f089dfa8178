import type { Db } from '#server/db/db.ts'
import { pruneMails } from '#server/db/mail-queue.ts'
import { pruneUseCounts } from '#server/db/use-counts.ts'
import { createMailSeal } from '#server/mail/seal-mail.ts'
import type { MailTransport } from '#server/mail/smtp-transport.ts'
import { deliverDueMails, type MailLog } from './deliver-mails.ts'
import { repeatWork, type Schedule } from './repeat-work.ts'

/** Somebody waits for their code: a look at an empty queue costs one indexed query. */
const LOOK_EVERY_MS = 1_000
const PRUNE_EVERY_MS = 60 * 60 * 1000

type MailScheduleOptions = {
  readonly secrets: readonly [string, ...string[]]
  readonly transport: MailTransport
  readonly log: MailLog & { error(fields: object, text: string): void }
  readonly now?: () => Date
}

/** Delivers mails as they come, until it is stopped; a mail that is being sent then goes back into the queue. */
export function scheduleMails(
  db: Db,
  { secrets, transport, log, now = () => new Date() }: MailScheduleOptions,
): Schedule {
  const seal = createMailSeal(secrets)
  const failed = (error: unknown) => log.error({ err: error }, 'mails are not delivered')
  const delivery = repeatWork({
    everyMs: LOOK_EVERY_MS,
    work: async (signal) => void (await deliverDueMails({ db, seal, transport, log, now, signal })),
    failed,
  })
  const pruning = repeatWork({
    everyMs: PRUNE_EVERY_MS,
    async work() {
      await pruneMails(db, now())
      await pruneUseCounts(db, now())
    },
    failed,
  })
  return {
    async stop() {
      const stopped = [delivery.stop(), pruning.stop()]
      // A mail server that is being waited for must not hold up the stop.
      transport.close()
      await Promise.all(stopped)
    },
  }
}
