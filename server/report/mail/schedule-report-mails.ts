import { listsLockedUntil } from '#contract/account/not-allowed-window.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { findClosedHours, hasEarlierLoad, insertReportMails } from './queries-schedule.ts'

/**
 * Writes down who is to be told of a load, in the transaction that publishes it. A load that falls into an organisation's not-allowed
 * window is told when that ends: later, never not at all (C12). `isIncrement`: one of hundreds in a night, told to the organisations alone whose projects
 * it wrote. Answers how many users will be told.
 */
export async function scheduleReportMails(
  tx: Db,
  loadId: number,
  { now = new Date(), isIncrement = false }: { readonly now?: Date; readonly isIncrement?: boolean | undefined } = {},
): Promise<number> {
  if (!(await hasEarlierLoad(tx, loadId))) return 0
  const later = (await findClosedHours(tx)).flatMap(({ id, ...window }) => {
    const dueAt = listsLockedUntil(window, now)
    return dueAt ? [{ organisationId: id, dueAt }] : []
  })
  return insertReportMails(tx, loadId, now, { later, isIncrement })
}
