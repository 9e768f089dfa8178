import type { Db } from '#server/platform/engine/db.ts'
import { begun, FULL_PACE, inBatches, type Pace } from '#server/platform/engine/in-batches.ts'
import { daysBefore, QUIET_DAYS } from './derivation.ts'
import type { FeedRecord } from './feed-source.ts'
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
import {
  closeLoad,
  countChunks,
  insertQuarantined,
  isDayDone,
  isOfHistory,
  lockLoad,
  type PublishCounts,
  readChunks,
} from './queries-load.ts'
import { findChanged, findDue, hasProjects, markChanged } from './queries-project.ts'
import type { Unread } from './stage-load.ts'

/** Chunks in one batch; a chunk has 1,000 records. */
const CHUNKS_AT_ONCE = 2

/** Records of one batch that comes from the source itself. */
const ROWS_AT_ONCE = 2_000
/** Batches by which what is written beside a load may be behind it. */
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
  /** Projects that were there before their records, also where an earlier batch had brought them. */
  readonly rewritten: Set<string>
}

/**
 * Publishes all chunks of a load in order, then what is left of its source. While the database writes a batch, the next is worked out and the one after read. So a project must not be read
 * while a batch about it is not yet written: its records wait until the two batches before are.
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

  /** Records of the next batch; undefined at the end. Those about a project under way are put off, in their order. */
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
  // It may fall behind by so many batches; what it writes waits in memory.
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
    // Nothing of it outlives the load; it never fails.
    await Promise.allSettled(besides)
  }
  return { added, seen, rewritten }
}

const AT_ONCE = 2_000

type DueUpdates = {
  /** Projects whose tracked fields this load changed. */
  readonly updated: number
  /** Those of them that the load had no record about. */
  readonly updatedUnseen: number
}

/**
 * Updates what depends on today for projects that the load did not write: bids closed (D2), delivered (D5), unless `isOfAllDates` is false. Then marks
 * everything that the load changed. It is part of each load, so both become visible together.
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

/** Answers those that were written. */
async function updateDueProjects(tx: Db, context: PublishContext): Promise<string[]> {
  const days = { today: context.today, quietBefore: daysBefore(context.today, QUIET_DAYS) }
  const dueAfter = (id: string) => findDue(tx, context.loadId, days, id, AT_ONCE)
  const written: string[] = []
  // Fewer than were asked for are the last: to find none behind them is to look through all projects once more.
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
  /** The evening whose loads New counts as one (`LoadPlace`); a load of one may turn out to be history. */
  readonly night?: string | undefined
  /** One of hundreds in a night: what depends on the day alone is left to the first load of the day. */
  readonly isIncrement?: boolean | undefined
  /** Works out what depends on the day, of all projects, also where it brought nothing: it is no history. */
  readonly isDaily?: boolean | undefined
  /** What is left of a source of which only the beginning is staged (`beginLoad`). */
  readonly unread?: Unread | undefined
  /** What is worked out of new projects meanwhile. */
  readonly along?: Along | undefined
  readonly pace?: Pace | undefined
  /** `total`: rows of the load, as far as it is known; before all of a source is read it is an estimate. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number | undefined }) => void
}
export type PublishedLoad = PublishCounts & {
  /** Projects that it wrote and that were there before; also those that an earlier record of the same load had brought. */
  readonly rewritten: ReadonlySet<string>
  /** Nothing that it brought has moved for months: news for nobody (decision 0059). */
  readonly isHistory: boolean
  /** What depends on today was looked at for all projects. */
  readonly isOfAllDates: boolean
  /** Rows of it that were staged and are quarantined now. */
  readonly refused: number
}

/**
 * Makes a staged load part of the data: projects, contracts, departments, announcements, attachments and the history of
 * what changed. All in the transaction it is given, so it is visible all at once or not at all.
 * New projects have `first_load` = `changed_load` = the load, updated ones `changed_load`; every row touched has `written_load`.
 * @throws Error when the load is not there or was published before.
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
