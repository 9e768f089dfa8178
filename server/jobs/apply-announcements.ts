import { bangkokToday } from '#contract/thai/thai-date.ts'
import type { Db } from '#server/engine/db.ts'
import { announcementBatch } from '#server/features/announcement/announcement-source.ts'
import { findAgencies, keepPlans, linkPlans } from '#server/features/announcement/queries.ts'
import type { ReceivedAnnouncement } from '#server/features/announcement/read-announcement.ts'
import type { LoadReport } from '#server/features/feed/load-report.ts'
import { asOnlyLoader, PATIENCE_MS, type RunLoadOptions, runLoad } from './run-load.ts'

export type AppliedAnnouncements = {
  /** Undefined when nothing of the batch is about a project: then there is no load, and New and Updated stay as they are (D3). */
  readonly load: LoadReport | undefined
  readonly plans: number
  readonly linkedPlans: number
}

export type ApplyOptions = Pick<RunLoadOptions, 'onProgress' | 'signal'> & { readonly now?: (() => Date) | undefined }

/**
 * Makes projects of announcements as they came from the live feed, by the load that every other source takes: matching, notifications, mails and the
 * report follow from it. An item that cannot be taken is quarantined with its reason, and the others go on. The same batch again changes nothing.
 * Rejects with `LoadBusy` while another load runs for longer than a minute.
 */
export async function applyAnnouncements(
  db: Db,
  received: readonly ReceivedAnnouncement[],
  { now = () => new Date(), onProgress, signal }: ApplyOptions = {},
): Promise<AppliedAnnouncements> {
  const today = bangkokToday(now())
  const agencies = await findAgencies(db, [...new Set(received.map(({ agencyCode }) => agencyCode))])
  const batch = announcementBatch(received, { agencies, today })
  await keepPlans(db, batch.plans)
  const load =
    batch.items === 0
      ? undefined
      : await asOnlyLoader(
          db,
          (lease) =>
            runLoad(db, lease, batch.source, {
              origin: 'e-GP RSS',
              fingerprint: batch.fingerprint,
              today,
              onProgress,
              signal,
            }),
          PATIENCE_MS,
        )
  return { load, plans: batch.plans.length, linkedPlans: await linkPlans(db, received) }
}
