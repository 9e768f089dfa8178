import type { Db } from '#server/platform/engine/db.ts'
import { enqueueFollowMails } from '#server/report/follow/notify-followers.ts'
import {
  CONTRACT_END_NOTICE_DAYS,
  insertContractEndNotifications,
  recordContractEndNotices,
} from './contract-end-queries.ts'

type NotifyOptions = {
  readonly today: string
  readonly at: Date
  /**
   * If true, checks all contracts. False if an earlier load already did so today, so that only this load's projects are
   * checked.
   */
  readonly isOfAllDates: boolean
}

/**
 * Notifies users of contracts in their organisation's report that came within 180, 90 or 30 days of their end. Runs in
 * the publishing transaction, after matching. Each combination of contract, end date and step is reported once: in one
 * notification per load, plus the next morning's email. Returns the number of notified users.
 */
export async function notifyContractEnds(
  tx: Db,
  loadId: number,
  { today, at, isOfAllDates }: NotifyOptions,
): Promise<number> {
  const notices = await recordContractEndNotices(tx, { today, at, ...(!isOfAllDates && { writtenBy: loadId }) })
  const inBell = notices
    .filter(({ in_bell: isIn }) => isIn)
    .map(({ user_id, organisation_id, counts }) => ({
      user_id,
      organisation_id,
      text: stepsText(counts),
      count: counts.reduce((sum, count) => sum + count, 0),
    }))
  await insertContractEndNotifications(tx, inBell, { loadId, at })
  const mailed = notices
    .filter(({ in_mail: isIn }) => isIn)
    .map(({ user_id: userId, organisation_id: organisationId }) => ({ userId, organisationId }))
  await enqueueFollowMails(tx, mailed, at)
  return notices.length
}

function stepsText(counts: readonly number[]): string {
  const parts = CONTRACT_END_NOTICE_DAYS.flatMap((days, at) => (counts[at]! > 0 ? `${days} วัน ${counts[at]!} ฉบับ` : []))
  return `เหลือไม่เกิน ${parts.join(' · ')}`
}
