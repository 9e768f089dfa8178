import { randomUUID } from 'node:crypto'
import type { Db } from '#server/engine/db.ts'
import {
  type ClaimedMail,
  claimMail,
  expireMails,
  type MailOutcome,
  pruneMails,
  renewClaim,
  settleMail,
} from '#server/engine/mail-queue.ts'
import { createMailSeal, type MailSeal } from '#server/mail/seal-mail.ts'
import type { Delivery, MailTransport } from '#server/mail/smtp-transport.ts'
import { pruneUseCounts } from '#server/route/use-counts.ts'
import { repeatWork, type Schedule } from './repeat-work.ts'
import { waitAfter } from './wait-after.ts'

/** First wait after a failed try, and the longest. */
export const MAIL_WAITS = { firstMs: 5_000, longestMs: 30 * 60 * 1000 }
/** Fifteen tries take three hours: a mail server that is down for one loses nothing (R53). Then the mail is marked failed. */
const MOST_TRIES = 15
const RENEW_MS = 15_000

type MailLog = { info(fields: object, text: string): void; warn(fields: object, text: string): void }

type MailDelivery = {
  readonly db: Db
  readonly seal: MailSeal
  readonly transport: MailTransport
  readonly log: MailLog
  now(): Date
  readonly signal?: AbortSignal
}

/** Sends what is due, one mail after another, and gives up what is too late; answers how many it tried. Several workers share the queue. */
export async function deliverDueMails(delivery: MailDelivery): Promise<number> {
  const { db, now, signal } = delivery
  const holder = randomUUID()
  let tried = 0
  while (!signal?.aborted) {
    await expireMails(db, now())
    const mail = await claimMail(db, holder, now())
    if (!mail) break
    await deliver(delivery, mail, holder)
    tried += 1
  }
  return tried
}

async function deliver(delivery: MailDelivery, claimed: ClaimedMail, holder: string): Promise<void> {
  const { db, log, now } = delivery
  const renewal = setInterval(() => {
    // A failed renewal is not fatal: at worst another worker sends the same Message-ID again.
    renewClaim(db, claimed.id, holder, now()).catch(() => undefined)
  }, RENEW_MS)
  try {
    const outcome = outcomeOf(await attempt(delivery, claimed), claimed, now())
    await settleMail(db, claimed.id, holder, outcome, now())
    // No address and no subject: both are personal (R14).
    const line = { mail: claimed.id, kind: claimed.kind, attempt: claimed.attempts, ...outcome }
    if (outcome.state === 'sent') log.info(line, 'mail sent')
    else if (outcome.state !== 'kept') log.warn(line, 'mail not sent')
  } finally {
    clearInterval(renewal)
  }
}

async function attempt({ seal, transport }: MailDelivery, claimed: ClaimedMail): Promise<Delivery> {
  const mail = seal.open(claimed.sealed)
  // Nobody will ever read it: the secret that sealed it is gone.
  if (!mail) return { kind: 'refused', failure: 'sealed with another secret' }
  return await transport.send(mail, claimed.messageId)
}

function outcomeOf(delivery: Delivery, { attempts }: ClaimedMail, now: Date): MailOutcome {
  if (delivery.kind === 'sent' || delivery.kind === 'kept') return { state: delivery.kind }
  const { failure } = delivery
  if (delivery.kind === 'refused' || attempts >= MOST_TRIES) return { state: 'failed', failure }
  return { state: 'queued', failure, nextAt: new Date(now.getTime() + waitAfter(attempts, MAIL_WAITS)) }
}

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
