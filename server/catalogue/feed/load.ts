import type { Db } from '#server/platform/engine/db.ts'
import { begun, FULL_PACE, inBatches, type Pace } from '#server/platform/engine/in-batches.ts'
import { daysBefore, QUIET_DAYS } from './derivation.ts'
import type { FeedRecord } from './feed-source.ts'
import {
  closeLoad,
  countChunks,
  insertQuarantined,
  isDayDone,
  isOfHistory,
  lockLoad,
  type PublishCounts,
  readChunks,
} from './load-queries.ts'
import { findChanged, findDue, hasProjects, markChanged } from './project-queries.ts'
import {
  type Along,
  newProjects,
  type PublishContext,
  prepareBatch,
  publishContext,
  readBatch,
  write,
  writesOf,
} from './publish-projects.ts'
import type { Unread } from './stage-load.ts'

/** A chunk has 1,000 records. */
const CHUNKS_AT_ONCE = 2

const ROWS_AT_ONCE = 2_000
/** Maximum number of batches by which the detached writes of a load may lag. */
const MOST_BEHIND = 2

type Staged = {
  readonly chunks: number
  readonly unread: Unread | undefined
  readonly along: Along | undefined
  readonly pace: Pace
  readonly onProgress: (done: number) => void
}
type Published = {
  readonly added: number
  readonly seen: ReadonlySet<string>
  /** Projects that existed before their records, including those that an earlier batch of this load created. */
  readonly rewritten: Set<string>
}

/**
 * Publishes all staged chunks in order, then the unread rest of the source. While the database writes one batch, the
 * next is prepared and the one after is read. A project must not be read while a batch with it is unwritten, so its
 * records wait until the two previous batches are done.
 */
async function publishStaged(
  tx: Db,
  context: PublishContext,
  { chunks, unread, along, pace, onProgress }: Staged,
): Promise<Published> {
  const seen = new Set<string>()
  const none: ReadonlySet<string> = new Set()
  let underWay = [none, none]
  let waiting: FeedRecord[] = []
  let chunk = 0

  const isRead = () => chunk >= chunks && (unread?.isOver ?? true)
  const readOn = async (): Promise<readonly FeedRecord[]> => {
    if (chunk < chunks) {
      chunk += CHUNKS_AT_ONCE
      return await readChunks(tx, context.loadId, chunk - CHUNKS_AT_ONCE, chunk)
    }
    if (!unread || unread.isOver) return []
    const { records, quarantined } = await unread.take(ROWS_AT_ONCE)
    await insertQuarantined(tx, context.loadId, quarantined)
    return records
  }

  /** Returns the next batch, or undefined at the end. Records of a project in flight are deferred in order. */
  const take = async () => {
    if (isRead() && waiting.length === 0) return undefined
    const fresh = await readOn()
    const mustWait = ({ projectId }: FeedRecord) => underWay.some((ids) => ids.has(projectId))
    const candidates = [...waiting, ...fresh]
    waiting = candidates.filter(mustWait)
    const ready = waiting.length === 0 ? candidates : candidates.filter((record) => !mustWait(record))
    const records = Map.groupBy(ready, (record) => record.projectId)
    const ids = [...records.keys()]
    const stored = isFirst ? ids.filter((id) => seen.has(id)) : ids
    for (const id of ids) seen.add(id)
    underWay = [underWay[1]!, new Set(ids)]
    return { count: ready.length, batch: await readBatch(tx, records, stored) }
  }

  const isFirst = !(await hasProjects(tx))
  const rewritten = new Set<string>()
  const besides: Promise<void>[] = []
  let [added, done] = [0, 0]
  try {
    await inBatches(
      {
        read: take,
        async prepare({ count, batch }) {
          const projects = await prepareBatch(context, batch)
          const writes = await writesOf(tx, context, projects)
          return { count, writes, along: await along?.prepare(newProjects(context, projects)) }
        },
        async write({ count, writes, along: ready }) {
          const isSlow = pace.isSlow()
          if (ready && !isSlow) besides.push(begun(ready.beside()))
          added += await write(tx, writes)
          await ready?.inside()
          while (besides.length > (isSlow ? 0 : MOST_BEHIND)) await besides.shift()
          if (isSlow) await ready?.beside()
          for (const id of writes.rewritten) rewritten.add(id)
          done += count
          onProgress(done)
        },
      },
      pace,
    )
  } finally {
    // These writes must not outlive the load. They never reject.
    await Promise.allSettled(besides)
  }
  return { added, seen, rewritten }
}

const AT_ONCE = 2_000

type DueUpdates = {
  readonly updated: number
  readonly updatedUnseen: number
}

/**
 * Updates date-dependent state of projects that the load did not write: bids closed (D2) and delivered (D5), unless
 * `isOfAllDates` is false. Then marks everything the load changed. Part of the load's transaction, so both become
 * visible together.
 */
async function markUpdates(
  tx: Db,
  context: PublishContext,
  { seen, rewritten }: Published,
  isOfAllDates: boolean,
): Promise<DueUpdates> {
  if (isOfAllDates) for (const id of await updateDueProjects(tx, context)) rewritten.add(id)
  const updated = await markChanged(tx, context.loadId)
  const changed = await findChanged(tx, context.loadId)
  return { updated, updatedUnseen: changed.filter((id) => !seen.has(id)).length }
}

async function updateDueProjects(tx: Db, context: PublishContext): Promise<string[]> {
  const days = { today: context.today, quietBefore: daysBefore(context.today, QUIET_DAYS) }
  const dueAfter = (id: string) => findDue(tx, context.loadId, days, id, AT_ONCE)
  const written: string[] = []
  // A short page is the last one; querying for an empty next page would scan all projects again.
  for (let ids = await dueAfter(''); ids.length > 0; ids = ids.length < AT_ONCE ? [] : await dueAfter(ids.at(-1)!)) {
    const batch = await readBatch(tx, new Map(ids.map((id) => [id, []])), ids)
    const writes = await writesOf(tx, context, await prepareBatch(context, batch))
    await write(tx, writes)
    written.push(...writes.rewritten)
  }
  return written
}

export type PublishOptions = {
  /** Today in Bangkok, ISO. */
  readonly today: string
  /** The evening whose loads New counts as one (`LoadPlace`). A load with a night may still turn out to be history. */
  readonly night?: string | undefined
  /** One of hundreds of loads in a night: date-dependent updates are left to the first load of the day. */
  readonly isIncrement?: boolean | undefined
  /** Updates date-dependent state of all projects even when the load itself is empty; never counts as history. */
  readonly isDaily?: boolean | undefined
  readonly unread?: Unread | undefined
  readonly along?: Along | undefined
  readonly pace?: Pace | undefined
  /** `total`: rows of the load; an estimate until the whole source is read. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number | undefined }) => void
}
export type PublishedLoad = PublishCounts & {
  /** Rewritten projects that existed before, including those that an earlier record of this load created. */
  readonly rewritten: ReadonlySet<string>
  /** Nothing in this load has moved for months, so it is excluded from New and triggers no mail (decision 0059). */
  readonly isHistory: boolean
  readonly isOfAllDates: boolean
  /** Staged rows that were quarantined during publishing. */
  readonly refused: number
}

/**
 * Publishes a staged load: projects, contracts, departments, announcements, attachments and change history. Everything
 * happens in the given transaction, so it becomes visible at once. New projects get `first_load` and `changed_load`,
 * updated ones `changed_load`; every touched row gets `written_load`.
 * @throws Error when the load does not exist or is already published.
 */
export async function publishLoad(tx: Db, loadId: number, options: PublishOptions): Promise<PublishedLoad> {
  const load = await lockLoad(tx, loadId)
  if (load === undefined || load.state !== 'staging')
    throw new Error(`load ${loadId} cannot be published: ${load === undefined ? 'unknown' : load.state}`)
  const context = publishContext(loadId, load.source, options.today)
  const { unread, along, pace = FULL_PACE } = options
  const published = await publishStaged(tx, context, {
    chunks: await countChunks(tx, loadId),
    ...{ unread, along, pace },
    onProgress: (done) => options.onProgress?.({ done, total: unread ? unread.rows : load.stagedRows }),
  })
  const { today, night, isIncrement = false, isDaily = false } = options
  const isHistory = night !== undefined && !isIncrement && !isDaily && (await isOfHistory(tx, loadId, today))
  const isOfAllDates = !isHistory && !(isIncrement && (await isDayDone(tx, today)))
  const { updated, updatedUnseen } = await markUpdates(tx, context, published, isOfAllDates)
  await insertQuarantined(tx, loadId, context.refused)
  const refused = context.refused.length
  const { added, seen, rewritten } = published
  const counts = {
    newProjects: added,
    updatedProjects: updated,
    unchangedProjects: seen.size - context.nameless.size - added - (updated - updatedUnseen),
  }
  await closeLoad(tx, loadId, counts, {
    night,
    isHistory,
    day: isOfAllDates ? today : undefined,
    read: unread?.progress,
    refused,
  })
  return { ...counts, rewritten, isHistory, isOfAllDates, refused }
}
