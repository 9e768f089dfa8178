import { bangkokToday } from '#contract/thai/thai-date.ts'
import { announcementBatch } from '#server/catalogue/announcement/announcement-source.ts'
import { findAgencies, linkPlans, storePlans } from '#server/catalogue/announcement/queries.ts'
import type { ReceivedAnnouncement } from '#server/catalogue/announcement/read-announcement.ts'
import type { LoadReport } from '#server/catalogue/feed/load-report.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { asOnlyLoader, PATIENCE_MS, type RunLoadOptions, runLoad } from '../load/run-load.ts'

export type AppliedAnnouncements = {
  /** Undefined when nothing of the batch is about a project: then there is no load, and New and Updated stay as they are (D3). */
  readonly load: LoadReport | undefined
  readonly plans: number
  readonly linkedPlans: number
}

export type ApplyOptions = Pick<RunLoadOptions, 'onProgress' | 'signal' | 'night' | 'isIncrement' | 'isFirstOfMany'> & {
  readonly now?: (() => Date) | undefined
  /** How long another load is waited for. */
  readonly waitMs?: number | undefined
  /** Written down in the transaction that makes them projects. */
  readonly within?: ((tx: Db) => Promise<void>) | undefined
}

/**
 * Makes projects of announcements as they came from the live feed, by the load that every other source takes: matching, notifications, mails and the
 * report follow from it. An item that cannot be taken is quarantined with its reason, and the others go on. The same batch again changes nothing.
 * Rejects with `LoadBusy` while another load runs for longer than `waitMs`, a minute when absent.
 */
export async function applyAnnouncements(
  db: Db,
  received: readonly ReceivedAnnouncement[],
  { now = () => new Date(), waitMs = PATIENCE_MS, within, ...options }: ApplyOptions = {},
): Promise<AppliedAnnouncements> {
  const today = bangkokToday(now())
  const agencies = await findAgencies(db, [...new Set(received.map(({ agencyCode }) => agencyCode))])
  const batch = announcementBatch(received, { agencies, today })
  await storePlans(db, batch.plans)
  let linkedPlans = 0
  const settle = async (tx: Db) => {
    linkedPlans = await linkPlans(tx, received, batch.plans)
    await within?.(tx)
  }
  if (batch.items === 0) {
    await db.transaction(settle)
    return { load: undefined, plans: batch.plans.length, linkedPlans }
  }
  const { fingerprint } = batch
  const load = await asOnlyLoader(
    db,
    (lease) =>
      runLoad(db, lease, batch.source, { ...options, now, origin: 'e-GP RSS', fingerprint, today, within: settle }),
    waitMs,
  )
  return { load, plans: batch.plans.length, linkedPlans }
}
