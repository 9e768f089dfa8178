import { getWatchListLockEnd } from '#contract/account/watch-list-lock-window.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { findQuietHours, hasEarlierPublishedDataLoad, insertReportMails } from './mail-schedule-queries.ts'

/**
 * Schedules emails for a load in the publishing transaction. During an organisation's quiet hours an email is delayed
 * until they end, never dropped (C12). `isIncrement`: the load is one of hundreds per night, so only organisations
 * whose projects it wrote get an email. Returns the number of users.
 */
export async function scheduleReportMails(
  tx: Db,
  loadId: number,
  { now = new Date(), isIncrement = false }: { readonly now?: Date; readonly isIncrement?: boolean | undefined } = {},
): Promise<number> {
  if (!(await hasEarlierPublishedDataLoad(tx, loadId))) return 0
  const delayed = (await findQuietHours(tx)).flatMap(({ id, ...window }) => {
    const dueAt = getWatchListLockEnd(window, now)
    return dueAt ? [{ organisationId: id, dueAt }] : []
  })
  return insertReportMails(tx, loadId, now, { delayed, isIncrement })
}
