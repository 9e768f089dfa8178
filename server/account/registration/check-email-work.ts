import { createHash } from 'node:crypto'
import {
  buildProofOfWorkInput,
  normaliseProofOfWorkEmail,
  PROOF_OF_WORK_PUZZLE_COUNT,
  PROOF_OF_WORK_ZERO_BITS,
  toProofOfWorkTimestamp,
} from '#contract/account/email-proof-of-work.ts'
import type { RouteContext } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { consumeActionRateLimit } from '#server/platform/route/use-counts.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest()

/**
 * Checks the proof of work for the email address, for the current or an adjacent ten-minute window, because clocks
 * differ.
 */
export function isProofOfWorkValid(work: unknown, email: string, now: Date): boolean {
  if (typeof work !== 'string' || work.length > 200) return false
  const [stamp, ...numbers] = work.split('.')
  if (numbers.length !== PROOF_OF_WORK_PUZZLE_COUNT || !numbers.every((number) => /^\d{1,9}$/.test(number)))
    return false
  if (!/^\d{1,9}$/.test(stamp ?? '') || Math.abs(Number(stamp) - toProofOfWorkTimestamp(now.getTime())) > 1)
    return false
  const address = sha256(normaliseProofOfWorkEmail(email)).toString('hex')
  return numbers.every((number, riddle) => {
    const hash = sha256(buildProofOfWorkInput(Number(stamp), riddle, address) + number)
    return hash.readUInt32BE() >>> (32 - PROOF_OF_WORK_ZERO_BITS) === 0
  })
}

export type EmailCheckLimits = { readonly perAddress: number; readonly ofAll: number }

/**
 * Limits email checks that lack the proof of work computed by our browser client. Plain calls as in the specification
 * are allowed a few times per hour and network address, and within an overall quota, so that checking a list of
 * addresses costs work even when distributed.
 * @throws ProblemError `too_many_requests`
 */
export async function reserveUnprovenEmailCheck(
  { db, now, unproved }: Pick<RouteContext, 'db' | 'now'> & { readonly unproved: EmailCheckLimits },
  address: string,
): Promise<void> {
  const window = { windowSeconds: 60 * 60, gapSeconds: 0 }
  const { perAddress, ofAll } = unproved
  const wait =
    (await consumeActionRateLimit(db, { action: 'check-unproved', maxUses: perAddress, ...window }, address, now())) ||
    (await consumeActionRateLimit(db, { action: 'check-unproved-all', maxUses: ofAll, ...window }, '', now()))
  if (wait > 0) throw new ProblemError('too_many_requests', { retryAfterSeconds: wait })
}
