import type { Db } from '#server/platform/engine/db.ts'
import {
  processInBatches,
  suppressUnhandledRejection,
  UNTHROTTLED_WORK,
  type WorkThrottle,
} from '#server/platform/engine/process-in-batches.ts'
import { QUIET_DAYS_BEFORE_ARCHIVE, subtractDays } from './derive-project-status.ts'
import type { FeedRecord } from './feed-source.ts'
import {
  countDataLoadChunks,
  finishDataLoad,
  hasPublishedDataLoadForDay,
  insertQuarantinedRows,
  isHistoricalDataLoad,
  lockDataLoad,
  type PublishedProjectCounts,
  readDataLoadChunks,
} from './load-queries.ts'
import {
  findChangedProjects,
  findProjectsWithExpiredState,
  hasProjects,
  markChangedProjects,
} from './project-queries.ts'
import {
  buildProjectBatchWrites,
  createProjectPublicationContext,
  type DerivedDataWriter,
  executeProjectBatchWrites,
  listNewProjects,
  type ProjectPublicationContext,
  prepareProjectBatch,
  readProjectBatch,
} from './publish-projects.ts'
import type { FeedRowReader } from './stage-load.ts'

const CHUNKS_PER_BATCH = 2

const ROWS_PER_BATCH = 2_000
const MAX_DETACHED_BATCHES = 2

type PublishInput = {
  readonly chunks: number
  readonly unread: FeedRowReader | undefined
  readonly derivedWriter: DerivedDataWriter | undefined
  readonly pace: WorkThrottle
  readonly onProgress: (done: number) => void
}
type PublishResult = {
  readonly added: number
  readonly projectIds: ReadonlySet<string>
  /**
   * Projects that existed before their records were written, including those that an earlier batch of this load
   * created.
   */
  readonly rewritten: Set<string>
}

/**
 * Publishes all staged chunks in order, then the unread rest of the source. While the database writes one batch, the
 * next is prepared and the one after is read. A project must not be read while a batch with it is unwritten, so its
 * records wait until the two previous batches are done.
 */
async function publishRecords(
  tx: Db,
  context: ProjectPublicationContext,
  { chunks, unread, derivedWriter, pace, onProgress }: PublishInput,
): Promise<PublishResult> {
  const projectIds = new Set<string>()
  const emptySet: ReadonlySet<string> = new Set()
  let underWay = [emptySet, emptySet]
  let waiting: FeedRecord[] = []
  let chunk = 0

  const isRead = () => chunk >= chunks && (unread?.isOver ?? true)
  const readOn = async (): Promise<readonly FeedRecord[]> => {
    if (chunk < chunks) {
      chunk += CHUNKS_PER_BATCH
      return await readDataLoadChunks(tx, context.loadId, chunk - CHUNKS_PER_BATCH, chunk)
    }
    if (!unread || unread.isOver) return []
    const { records, quarantined } = await unread.take(ROWS_PER_BATCH)
    await insertQuarantinedRows(tx, context.loadId, quarantined)
    return records
  }

  const take = async () => {
    if (isRead() && waiting.length === 0) return undefined
    const fresh = await readOn()
    const mustWait = ({ projectId }: FeedRecord) => underWay.some((ids) => ids.has(projectId))
    const candidates = [...waiting, ...fresh]
    waiting = candidates.filter(mustWait)
    const readyRecords = waiting.length === 0 ? candidates : candidates.filter((record) => !mustWait(record))
    const records = Map.groupBy(readyRecords, (record) => record.projectId)
    const ids = [...records.keys()]
    const stored = isFirst ? ids.filter((id) => projectIds.has(id)) : ids
    for (const id of ids) projectIds.add(id)
    underWay = [underWay[1]!, new Set(ids)]
    return { count: readyRecords.length, batch: await readProjectBatch(tx, records, stored) }
  }

  const isFirst = !(await hasProjects(tx))
  const rewritten = new Set<string>()
  const detachedWrites: Promise<void>[] = []
  let [added, done] = [0, 0]
  try {
    await processInBatches(
      {
        read: take,
        async prepare({ count, batch }) {
          const projects = await prepareProjectBatch(context, batch)
          const writes = await buildProjectBatchWrites(tx, context, projects)
          return { count, writes, along: await derivedWriter?.prepare(listNewProjects(context, projects)) }
        },
        async write({ count, writes, along: derivedWrites }) {
          const isSlow = pace.isSlow()
          if (derivedWrites && !isSlow) detachedWrites.push(suppressUnhandledRejection(derivedWrites.writeDetached()))
          added += await executeProjectBatchWrites(tx, writes)
          await derivedWrites?.writeInTransaction()
          while (detachedWrites.length > (isSlow ? 0 : MAX_DETACHED_BATCHES)) await detachedWrites.shift()
          if (isSlow) await derivedWrites?.writeDetached()
          for (const id of writes.rewritten) rewritten.add(id)
          done += count
          onProgress(done)
        },
      },
      pace,
    )
  } finally {
    // Wait for these writes, because they must not outlive the load. They never reject.
    await Promise.allSettled(detachedWrites)
  }
  return { added, projectIds, rewritten }
}

const DUE_PAGE_SIZE = 2_000

type DueUpdates = {
  readonly updated: number
  readonly updatedUnseen: number
}

/**
 * If `isOfAllDates`, updates projects that the load did not write but whose state depends on the date: the bidding has
 * closed (D2), or the work counts as delivered (D5). Then marks everything that the load changed as updated. Runs in
 * the load's transaction, so that both become visible together.
 */
async function markUpdates(
  tx: Db,
  context: ProjectPublicationContext,
  { projectIds, rewritten }: PublishResult,
  isOfAllDates: boolean,
): Promise<DueUpdates> {
  if (isOfAllDates) for (const id of await updateDueProjects(tx, context)) rewritten.add(id)
  const updated = await markChangedProjects(tx, context.loadId)
  const changedIds = await findChangedProjects(tx, context.loadId)
  return { updated, updatedUnseen: changedIds.filter((id) => !projectIds.has(id)).length }
}

async function updateDueProjects(tx: Db, context: ProjectPublicationContext): Promise<string[]> {
  const days = { today: context.today, quietBefore: subtractDays(context.today, QUIET_DAYS_BEFORE_ARCHIVE) }
  const dueAfter = (id: string) => findProjectsWithExpiredState(tx, context.loadId, days, id, DUE_PAGE_SIZE)
  const writtenIds: string[] = []
  // A short page is the last one; querying for an empty next page would scan all projects again.
  for (
    let ids = await dueAfter('');
    ids.length > 0;
    ids = ids.length < DUE_PAGE_SIZE ? [] : await dueAfter(ids.at(-1)!)
  ) {
    const batch = await readProjectBatch(tx, new Map(ids.map((id) => [id, []])), ids)
    const writes = await buildProjectBatchWrites(tx, context, await prepareProjectBatch(context, batch))
    await executeProjectBatchWrites(tx, writes)
    writtenIds.push(...writes.rewritten)
  }
  return writtenIds
}

export type DataLoadPublicationOptions = {
  readonly today: string
  readonly night?: string | undefined
  readonly isIncrement?: boolean | undefined
  readonly isDaily?: boolean | undefined
  readonly unread?: FeedRowReader | undefined
  readonly derivedWriter?: DerivedDataWriter | undefined
  readonly pace?: WorkThrottle | undefined
  readonly onProgress?: (progress: { readonly done: number; readonly total: number | undefined }) => void
}
export type PublishedDataLoad = PublishedProjectCounts & {
  readonly rewritten: ReadonlySet<string>
  /**
   * Nothing in this load has moved for months, so the load is excluded from the filter New and triggers no email
   * (decision 0059).
   */
  readonly isHistory: boolean
  readonly isOfAllDates: boolean
  readonly refused: number
}

/**
 * Publishes a staged load: projects, contracts, departments, announcements, attachments and change history. Everything
 * happens in the given transaction, so it becomes visible at once. New projects get `first_load` and `changed_load`,
 * updated ones `changed_load`; every touched row gets `written_load`.
 * @throws Error when the load does not exist or is already published.
 */
export async function publishDataLoad(
  tx: Db,
  loadId: number,
  options: DataLoadPublicationOptions,
): Promise<PublishedDataLoad> {
  const load = await lockDataLoad(tx, loadId)
  if (load === undefined || load.state !== 'staging')
    throw new Error(`load ${loadId} cannot be published: ${load === undefined ? 'unknown' : load.state}`)
  const context = createProjectPublicationContext(loadId, load.source, options.today)
  const { unread, derivedWriter, pace = UNTHROTTLED_WORK } = options
  const published = await publishRecords(tx, context, {
    chunks: await countDataLoadChunks(tx, loadId),
    ...{ unread, derivedWriter, pace },
    onProgress: (done) => options.onProgress?.({ done, total: unread ? unread.rows : load.stagedRows }),
  })
  const { today, night, isIncrement = false, isDaily = false } = options
  const isHistory = night !== undefined && !isIncrement && !isDaily && (await isHistoricalDataLoad(tx, loadId, today))
  const isOfAllDates = !isHistory && !(isIncrement && (await hasPublishedDataLoadForDay(tx, today)))
  const { updated, updatedUnseen } = await markUpdates(tx, context, published, isOfAllDates)
  await insertQuarantinedRows(tx, loadId, context.refused)
  const refused = context.refused.length
  const { added, projectIds, rewritten } = published
  const counts = {
    newProjects: added,
    updatedProjects: updated,
    unchangedProjects: projectIds.size - context.nameless.size - added - (updated - updatedUnseen),
  }
  await finishDataLoad(tx, loadId, counts, {
    night,
    isHistory,
    day: isOfAllDates ? today : undefined,
    readCounts: unread?.progress,
    refused,
  })
  return { ...counts, rewritten, isHistory, isOfAllDates, refused }
}
