import type { Db } from '#server/engine/db.ts'
import { inBatches } from '#server/engine/in-batches.ts'
import { rawForQuarantine } from './clean-text.ts'
import { daysBefore, QUIET_DAYS } from './derivation.ts'
import { FeedFormatError, type FeedItem, type FeedRecord, type FeedSource } from './feed-source.ts'
import { type PublishContext, prepareBatch, readBatch, write, writesOf } from './publish-projects.ts'
import {
  type Chunk,
  closeLoad,
  countChunks,
  failLoad,
  findStaging,
  insertChunk,
  isDayDone,
  isOfHistory,
  lockLoad,
  openLoad,
  type PublishCounts,
  readChunks,
} from './queries-load.ts'
import { findChanged, findDue, markChanged } from './queries-project.ts'

/** Chunks in one batch; a chunk has 1,000 records. */
const CHUNKS_AT_ONCE = 2

type Staged = { readonly chunks: number; readonly onProgress: (done: number) => void }

/**
 * Publishes all chunks of a load in order. While the database writes a batch, the next is worked out and the one after read. So a project must not be read
 * while a batch about it is not yet written: its records wait until the two batches before are.
 */
async function publishStaged(
  tx: Db,
  context: PublishContext,
  { chunks, onProgress }: Staged,
): Promise<{ readonly newProjects: number; readonly seen: ReadonlySet<string> }> {
  const seen = new Set<string>()
  const none: ReadonlySet<string> = new Set()
  let underWay = [none, none]
  let waiting: FeedRecord[] = []
  let chunk = 0

  /** Records of the next batch; undefined at the end. Those about a project under way are put off, in their order. */
  const take = async () => {
    if (chunk >= chunks && waiting.length === 0) return undefined
    const fresh = chunk < chunks ? await readChunks(tx, context.loadId, chunk, chunk + CHUNKS_AT_ONCE) : []
    chunk += CHUNKS_AT_ONCE
    const mustWait = ({ projectId }: FeedRecord) => underWay.some((ids) => ids.has(projectId))
    const candidates = [...waiting, ...fresh]
    waiting = candidates.filter(mustWait)
    const ready = waiting.length === 0 ? candidates : candidates.filter((record) => !mustWait(record))
    const records = Map.groupBy(ready, (record) => record.projectId)
    for (const id of records.keys()) seen.add(id)
    underWay = [underWay[1]!, new Set(records.keys())]
    return { count: ready.length, batch: await readBatch(tx, records) }
  }

  let [newProjects, done] = [0, 0]
  await inBatches({
    read: take,
    prepare: async ({ count, batch }) => ({
      count,
      writes: await writesOf(tx, context, await prepareBatch(context, batch)),
    }),
    async write({ count, writes }) {
      newProjects += await write(tx, writes)
      done += count
      onProgress(done)
    },
  })
  return { newProjects, seen }
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
  seen: ReadonlySet<string>,
  isOfAllDates: boolean,
): Promise<DueUpdates> {
  if (isOfAllDates) await updateDueProjects(tx, context)
  const updated = await markChanged(tx, context.loadId)
  const changed = await findChanged(tx, context.loadId)
  return { updated, updatedUnseen: changed.filter((id) => !seen.has(id)).length }
}

async function updateDueProjects(tx: Db, context: PublishContext): Promise<void> {
  const days = { today: context.today, quietBefore: daysBefore(context.today, QUIET_DAYS) }
  const dueAfter = (id: string) => findDue(tx, context.loadId, days, id, AT_ONCE)
  for (let ids = await dueAfter(''); ids.length > 0; ids = await dueAfter(ids.at(-1)!))
    await write(
      tx,
      await writesOf(tx, context, await prepareBatch(context, await readBatch(tx, new Map(ids.map((id) => [id, []]))))),
    )
}

export type StageOptions = {
  /** What was read: file name or address, shown in the list of loads. */
  readonly origin: string
  /** Equal for equal content: an interrupted load with the same fingerprint is continued. */
  readonly fingerprint: string
  /** Most rows of one source; four times a whole year of e-GP unless a test says less. */
  readonly maxRows?: number
  /** Called after each committed chunk. */
  readonly onProgress?: (progress: StageProgress) => void
}
export type StageProgress = {
  /** Rows read; always `staged + quarantined`. */
  readonly read: number
  readonly staged: number
  readonly quarantined: number
  /** Rows taken although something about them is odd (a tax id's check digit); since this process took the load up. */
  readonly warnings: number
}
export type StagedLoad = StageProgress & {
  readonly loadId: number
  /** 0 for a fresh load; else the line after which an interrupted one was continued. */
  readonly resumedAfterLine: number
}

/** Rows of one chunk: about 0.7 MB of JSON, a tenth of a second of work between two commits. */
const CHUNK_ROWS = 1_000

/** Four times the rows of a whole year of all e-GP contracts (4.7 million). */
const MAX_ROWS = 20_000_000

/**
 * Reads a source into the staging tables, chunk by chunk; nothing of it is visible. After a crash the same call goes on
 * after the last committed chunk. A source that turns out unusable fails the load for good.
 * @throws FeedFormatError as the source does; the load is then marked failed with that message.
 */
export async function stageLoad(db: Db, source: FeedSource, options: StageOptions): Promise<StagedLoad> {
  const begun = await findStaging(db, options.fingerprint)
  const loadId = begun?.loadId ?? (await openLoad(db, { source: source.name, ...options }))
  const maxRows = options.maxRows ?? MAX_ROWS
  const resumedAfterLine = begun?.lastLine ?? 0
  let progress = {
    read: begun?.read ?? 0,
    staged: begun?.staged ?? 0,
    quarantined: begun?.quarantined ?? 0,
    warnings: 0,
  }
  let chunk = emptyChunk(begun?.nextChunk ?? 0)

  // One chunk is written while the next one is read.
  let writing: Promise<void> = Promise.resolve()
  const write = async (full: OpenChunk) => {
    await insertChunk(db, loadId, full)
    const staged = progress.staged + full.records.length
    const quarantined = progress.quarantined + full.quarantined.length
    progress = { read: staged + quarantined, staged, quarantined, warnings: progress.warnings + full.warnings }
    options.onProgress?.(progress)
  }
  const flush = async () => {
    await writing
    writing = write(chunk)
    // The next `await` gets the failure; until then it must not count as unhandled.
    writing.catch(() => undefined)
    chunk = emptyChunk(chunk.chunk + 1)
  }

  try {
    for await (const item of source.records(resumedAfterLine)) {
      if (progress.read > maxRows) throw new FeedFormatError(`เกิน ${maxRows} แถว ต้องแบ่งเป็นหลายไฟล์`)
      addItem(chunk, item)
      if (chunk.records.length + chunk.quarantined.length >= CHUNK_ROWS) await flush()
    }
    if (chunk.records.length + chunk.quarantined.length > 0) await flush()
    await writing
  } catch (error) {
    await writing.catch(() => undefined)
    if (error instanceof FeedFormatError) await failLoad(db, loadId, error.message)
    throw error
  }
  return { loadId, resumedAfterLine, ...progress }
}

type OpenChunk = Chunk & {
  lastLine: number
  warnings: number
  records: string[]
  quarantined: Chunk['quarantined'][number][]
}

const emptyChunk = (chunk: number): OpenChunk => ({ chunk, lastLine: 0, warnings: 0, records: [], quarantined: [] })

/** JSON escapes of what jsonb refuses: NUL, and halves of surrogate pairs (whole pairs are not escaped). */
const UNSTORABLE_JSON = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

function addItem(chunk: OpenChunk, item: FeedItem): void {
  chunk.lastLine = item.line
  if ('rejected' in item) {
    chunk.quarantined.push({ line: item.line, ...item.rejected })
    return
  }
  const record = JSON.stringify(item.record)
  if (record.includes('\\u') && UNSTORABLE_JSON.test(record)) {
    const reason = 'มีอักขระ NUL หรืออักขระที่เก็บไม่ได้'
    chunk.quarantined.push({ line: item.line, reason, raw: rawForQuarantine(record) })
    return
  }
  chunk.records.push(record)
  chunk.warnings += item.warnings?.length ?? 0
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
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void
}
export type PublishedLoad = PublishCounts & {
  /** Nothing that it brought has moved for months: news for nobody (decision 0059). */
  readonly isHistory: boolean
  /** What depends on today was looked at for all projects. */
  readonly isOfAllDates: boolean
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
  const context = { loadId, source: load.source, today: options.today, departments: new Map<string, number>() }
  const { newProjects, seen } = await publishStaged(tx, context, {
    chunks: await countChunks(tx, loadId),
    onProgress: (done) => options.onProgress?.({ done, total: load.stagedRows }),
  })
  const { today, night, isIncrement = false, isDaily = false } = options
  const isHistory = night !== undefined && !isIncrement && !isDaily && (await isOfHistory(tx, loadId, today))
  const isOfAllDates = !isHistory && !(isIncrement && (await isDayDone(tx, today)))
  const { updated, updatedUnseen } = await markUpdates(tx, context, seen, isOfAllDates)
  const unchangedProjects = seen.size - newProjects - (updated - updatedUnseen)
  const counts = { newProjects, updatedProjects: updated, unchangedProjects }
  await closeLoad(tx, loadId, counts, { night, isHistory, day: isOfAllDates ? today : undefined })
  return { ...counts, isHistory, isOfAllDates }
}
