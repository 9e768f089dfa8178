import type { Db } from '#server/db/db.ts'
import { daysBefore, QUIET_DAYS } from './derivation.ts'
import { type PublishContext, prepareBatch, readBatch, writeBatch } from './publish-projects.ts'
import { findChanged, findDue, markChanged } from './queries-project.ts'

const AT_ONCE = 2_000

export type Swept = {
  /** Projects whose tracked fields this load changed. */
  readonly updated: number
  /** Those of them that no record of the load was about. */
  readonly updatedUnseen: number
}

/**
 * Brings what depends on today up to date for projects that the load did not write: bids closed (D2), delivered (D5); then
 * marks everything that the load changed. Part of each load, so the change is seen with it.
 */
export async function sweep(tx: Db, context: PublishContext, seen: ReadonlySet<string>): Promise<Swept> {
  const days = { today: context.today, quietBefore: daysBefore(context.today, QUIET_DAYS) }
  const dueAfter = (id: string) => findDue(tx, context.loadId, days, id, AT_ONCE)
  for (let ids = await dueAfter(''); ids.length > 0; ids = await dueAfter(ids.at(-1)!))
    await writeBatch(tx, context, await prepareBatch(context, await readBatch(tx, new Map(ids.map((id) => [id, []])))))
  const updated = await markChanged(tx, context.loadId)
  const changed = await findChanged(tx, context.loadId)
  return { updated, updatedUnseen: changed.filter((id) => !seen.has(id)).length }
}
