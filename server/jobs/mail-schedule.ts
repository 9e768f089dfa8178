import type { Db } from '#server/db/db.ts'
import { pruneMails } from '#server/db/mail-queue.ts'
import { pruneUseCounts } from '#server/db/use-counts.ts'
import { createMailSeal } from '#server/mail/seal-mail.ts'
import type { MailTransport } from '#server/mail/smtp-transport.ts'
import { deliverDueMails, type MailLog } from './deliver-mails.ts'

/** Somebody waits for their code: a look at an empty queue costs one indexed query. */
const LOOK_EVERY_MS = 1_000
const PRUNE_EVERY_MS = 60 * 60 * 1000

export type MailSchedule = { stop(): Promise<void> }
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
): MailSchedule {
  const seal = createMailSeal(secrets)
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  let prunedAt = Number.NEGATIVE_INFINITY
  let isFailing = false

  async function work(): Promise<void> {
    try {
      await deliverDueMails({ db, seal, transport, log, now, signal: stopping.signal })
      isFailing = false
      if (now().getTime() - prunedAt < PRUNE_EVERY_MS) return
      prunedAt = now().getTime()
      await pruneMails(db, now())
      await pruneUseCounts(db, now())
    } catch (error) {
      // Once, not each second, while the database is away.
      if (!isFailing && !stopping.signal.aborted) log.error({ err: error }, 'mails are not delivered')
      isFailing = true
    }
  }
  function look(): void {
    running ??= work().finally(() => {
      running = undefined
    })
  }

  const timer = setInterval(look, LOOK_EVERY_MS)
  look()
  return {
    async stop() {
      clearInterval(timer)
      stopping.abort()
      // A mail server that is being waited for must not hold up the stop.
      transport.close()
      await running
    },
  }
}
