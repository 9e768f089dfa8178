import { getBangkokToday } from '#contract/thai/thai-date.ts'
import { buildAnnouncementBatch } from '#server/catalogue/announcement/announcement-source.ts'
import type { ReceivedAnnouncement } from '#server/catalogue/announcement/parse-announcement.ts'
import {
  findAnnouncedAgencies,
  linkPlansToProjects,
  storePurchasingPlans,
} from '#server/catalogue/announcement/queries.ts'
import type { DataLoadReport } from '#server/catalogue/feed/load-report.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { MAX_DATA_LOAD_WAIT_MS, type RunDataLoadOptions, runDataLoad, withDataLoadLease } from '../load/run-load.ts'

export type ApplyAnnouncementsResult = {
  /**
   * Undefined when the batch concerns no project. No load runs then, and the filters New and Updated stay unchanged
   * (D3).
   */
  readonly load: DataLoadReport | undefined
  readonly plans: number
  readonly linkedPlans: number
}

export type ApplyAnnouncementsOptions = Pick<
  RunDataLoadOptions,
  'onProgress' | 'signal' | 'night' | 'isIncrement' | 'isFirstOfMany'
> & {
  readonly now?: (() => Date) | undefined
  readonly waitMs?: number | undefined
  readonly within?: ((tx: Db) => Promise<void>) | undefined
}

/**
 * Converts live feed announcements to projects through the regular load, so matching, notifications, emails and the
 * report follow. An invalid item is quarantined with its reason without stopping the others. Reapplying a batch changes
 * nothing. Rejects with `DataLoadInProgressError` when another load runs for longer than `waitMs` (default: a minute).
 */
export async function applyAnnouncements(
  db: Db,
  received: readonly ReceivedAnnouncement[],
  { now = () => new Date(), waitMs = MAX_DATA_LOAD_WAIT_MS, within, ...options }: ApplyAnnouncementsOptions = {},
): Promise<ApplyAnnouncementsResult> {
  const today = getBangkokToday(now())
  const agencies = await findAnnouncedAgencies(db, [...new Set(received.map(({ agencyCode }) => agencyCode))])
  const batch = buildAnnouncementBatch(received, { agencies, today })
  await storePurchasingPlans(db, batch.plans)
  let linkedPlans = 0
  const settle = async (tx: Db) => {
    linkedPlans = await linkPlansToProjects(tx, received, batch.plans)
    await within?.(tx)
  }
  if (batch.items === 0) {
    await db.transaction(settle)
    return { load: undefined, plans: batch.plans.length, linkedPlans }
  }
  const { fingerprint } = batch
  const load = await withDataLoadLease(
    db,
    (lease) =>
      runDataLoad(db, lease, batch.source, { ...options, now, origin: 'e-GP RSS', fingerprint, today, within: settle }),
    waitMs,
  )
  return { load, plans: batch.plans.length, linkedPlans }
}
