import { createHash } from 'node:crypto'
import { riddleText, WORK_BITS, WORK_RIDDLES, workAddress, workStamp } from '#contract/account/email-work.ts'
import { ProblemError } from '#server/platform/route/problem.ts'
import type { RouteContext } from '#server/platform/route/route-app.ts'
import { reserveUse } from '#server/platform/route/use-counts.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest()

/**
 * Checks the proof of work for the address, for the current or an adjacent ten-minute window, because clocks differ.
 */
export function workFits(work: unknown, email: string, now: Date): boolean {
  if (typeof work !== 'string' || work.length > 200) return false
  const [stamp, ...numbers] = work.split('.')
  if (numbers.length !== WORK_RIDDLES || !numbers.every((number) => /^\d{1,9}$/.test(number))) return false
  if (!/^\d{1,9}$/.test(stamp ?? '') || Math.abs(Number(stamp) - workStamp(now.getTime())) > 1) return false
  const address = sha256(workAddress(email)).toString('hex')
  return numbers.every((number, riddle) => {
    const hash = sha256(riddleText(Number(stamp), riddle, address) + number)
    return hash.readUInt32BE() >>> (32 - WORK_BITS) === 0
  })
}

/** Checks without proof of work allowed per hour: per network address, and in total. */
export type Unproved = { readonly perAddress: number; readonly ofAll: number }

/**
 * Limits checks without the proof of work that our browser client computes. The plain call of the specification is
 * allowed a few times per hour and network address, and some times in total, so that checking a list of addresses costs
 * work even when distributed.
 * @throws ProblemError `too_many_requests`
 */
export async function reserveUnproved(
  { db, now, unproved }: Pick<RouteContext, 'db' | 'now'> & { readonly unproved: Unproved },
  address: string,
): Promise<void> {
  const window = { windowSeconds: 60 * 60, gapSeconds: 0 }
  const { perAddress, ofAll } = unproved
  const wait =
    (await reserveUse(db, { action: 'check-unproved', most: perAddress, ...window }, address, now())) ||
    (await reserveUse(db, { action: 'check-unproved-all', most: ofAll, ...window }, '', now()))
  if (wait > 0) throw new ProblemError('too_many_requests', { retryAfterSeconds: wait })
}
