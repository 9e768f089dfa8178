import type { Db } from '#server/platform/engine/db.ts'
import { askForFollowMails } from '#server/report/follow/tell-followers.ts'
import { insertContractEnds, STEPS, storeContractEnds } from './contract-end-queries.ts'

type TellOptions = {
  /** Today in Bangkok, ISO. */
  readonly today: string
  readonly at: Date
  /** False if another load of this day already checked all contracts. */
  readonly isOfAllDates: boolean
}

/**
 * Notifies users of contracts in their organisation's report that came within 180, 90 or 30 days of their end, in the
 * publishing transaction, after matching. Each contract, end and step once; one notification per load, plus the next
 * morning's mail. Returns the number of users.
 */
export async function tellContractEnds(
  tx: Db,
  loadId: number,
  { today, at, isOfAllDates }: TellOptions,
): Promise<number> {
  const told = await storeContractEnds(tx, { today, at, ...(!isOfAllDates && { writtenBy: loadId }) })
  const inBell = told
    .filter(({ in_bell: isIn }) => isIn)
    .map(({ user_id, organisation_id, counts }) => ({
      user_id,
      organisation_id,
      text: stepsText(counts),
      count: counts.reduce((sum, count) => sum + count, 0),
    }))
  await insertContractEnds(tx, inBell, { loadId, at })
  const mailed = told
    .filter(({ in_mail: isIn }) => isIn)
    .map(({ user_id: userId, organisation_id: organisationId }) => ({ userId, organisationId }))
  await askForFollowMails(tx, mailed, at)
  return told.length
}

/** `เหลือไม่เกิน 30 วัน 2 ฉบับ · 180 วัน 6 ฉบับ`. */
function stepsText(counts: readonly number[]): string {
  const parts = STEPS.flatMap((days, at) => (counts[at]! > 0 ? `${days} วัน ${counts[at]!} ฉบับ` : []))
  return `เหลือไม่เกิน ${parts.join(' · ')}`
}
