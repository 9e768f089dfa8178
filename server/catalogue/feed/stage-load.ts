import { setImmediate as turn } from 'node:timers/promises'
import type { DoubtKind } from '#contract/catalogue/doubt.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { rawForQuarantine } from './clean-text.ts'
import { FeedFormatError, type FeedItem, type FeedRecord, type FeedSource } from './feed-source.ts'
import { hideInItem } from './person/hide-people.ts'
import {
  type Chunk,
  type DoubtCounts,
  failLoad,
  findStaging,
  insertChunk,
  openLoad,
  type QuarantinedRow,
} from './queries-load.ts'

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
  /** Doubts of the rows taken, by kind. */
  readonly doubts: DoubtCounts
}
export type StagedLoad = StageProgress & {
  readonly loadId: number
  /** 0 for a fresh load; else the line after which an interrupted one was continued. */
  readonly resumedAfterLine: number
}
/** `unread`: the rest of a source of which only the beginning is staged. */
export type BegunLoad = StagedLoad & { readonly unread?: Unread }

/** Rows of one chunk: about 0.7 MB of JSON, a tenth of a second of work between two commits. */
const CHUNK_ROWS = 1_000

/** Rows read between two turns of the event loop: some milliseconds. */
const ROWS_A_TURN = 100

/** Four times the rows of a whole year of all e-GP contracts (4.7 million). */
const MAX_ROWS = 20_000_000

/**
 * Reads a source into the staging tables, chunk by chunk; nothing of it is visible. After a crash the same call goes on
 * after the last committed chunk. A source that turns out unusable fails the load for good.
 * @throws FeedFormatError as the source does; the load is then marked failed with that message.
 */
export async function stageLoad(db: Db, source: FeedSource, options: StageOptions): Promise<StagedLoad> {
  const { unread: _, ...staged } = await beginLoad(db, source, { ...options, mostChunks: Number.POSITIVE_INFINITY })
  return staged
}

/** The same for the first `mostChunks` chunks; what is behind them can be published as it is read (decision 0156). */
export async function beginLoad(
  db: Db,
  source: FeedSource,
  options: StageOptions & { readonly mostChunks: number },
): Promise<BegunLoad> {
  const begun = await findStaging(db, options.fingerprint)
  const loadId = begun?.loadId ?? (await openLoad(db, { source: source.name, ...options }))
  const maxRows = options.maxRows ?? MAX_ROWS
  const resumedAfterLine = begun?.lastLine ?? 0
  let progress = {
    read: begun?.read ?? 0,
    staged: begun?.staged ?? 0,
    quarantined: begun?.quarantined ?? 0,
    doubts: begun?.doubts ?? {},
  }
  let chunk = emptyChunk(begun?.nextChunk ?? 0)

  // One chunk is written while the next one is read.
  let writing: Promise<void> = Promise.resolve()
  const write = async (full: OpenChunk) => {
    progress = added(progress, full.records.length, full)
    await insertChunk(db, loadId, full, progress.doubts)
    options.onProgress?.(progress)
  }
  const flush = async () => {
    await writing
    writing = write(chunk)
    // The next `await` gets the failure; until then it must not count as unhandled.
    writing.catch(() => undefined)
    chunk = emptyChunk(chunk.chunk + 1)
  }

  const items = source.records(resumedAfterLine)[Symbol.asyncIterator]()
  try {
    while (chunk.chunk < options.mostChunks) {
      const { done, value } = await items.next()
      if (done) break
      if (progress.read > maxRows) throw tooManyRows(maxRows)
      addItem(chunk, value)
      if (chunk.records.length + chunk.quarantined.length >= CHUNK_ROWS) await flush()
    }
    if (chunk.records.length + chunk.quarantined.length > 0) await flush()
    await writing
  } catch (error) {
    await writing.catch(() => undefined)
    await items.return?.()
    if (error instanceof FeedFormatError) await failLoad(db, loadId, error.message)
    throw error
  }
  const staged = { loadId, resumedAfterLine, ...progress }
  return chunk.chunk < options.mostChunks ? staged : { ...staged, unread: new Unread(items, progress, maxRows, source) }
}

/** The next rows of a source: those taken, those rejected. */
export type ReadRows = { readonly records: readonly FeedRecord[]; readonly quarantined: readonly QuarantinedRow[] }

/** What is left of a source of which the beginning is staged. */
export class Unread {
  readonly #items: AsyncIterator<FeedItem>
  readonly #maxRows: number
  readonly #source: FeedSource
  #progress: StageProgress
  #isOver = false

  constructor(items: AsyncIterator<FeedItem>, progress: StageProgress, maxRows: number, source: FeedSource) {
    this.#items = items
    this.#progress = progress
    this.#maxRows = maxRows
    this.#source = source
  }

  /** What was read so far, the staged beginning included. */
  get progress(): StageProgress {
    return this.#progress
  }

  /** All was taken. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** How many rows the source has: known at its end, before that by the share that was read; undefined where that is not known. */
  get rows(): number | undefined {
    const { read } = this.#progress
    if (this.#isOver) return read
    const share = this.#source.shareRead?.() ?? 0
    return share > 0 ? Math.max(read, Math.round(read / share / 1_000) * 1_000) : undefined
  }

  /** The next rows, at most `most`; fewer are the last. @throws FeedFormatError as the source does. */
  async take(most: number): Promise<ReadRows> {
    const rows = emptyChunk(0)
    const records: FeedRecord[] = []
    while (records.length + rows.quarantined.length < most) {
      const { done, value } = await this.#items.next()
      if (done) {
        this.#isOver = true
        break
      }
      if (this.#progress.read + records.length > this.#maxRows) throw tooManyRows(this.#maxRows)
      const record = takenOf(rows, value)
      if (record) records.push(record)
      // Statements of the batches before are under way.
      if (records.length % ROWS_A_TURN === 0) await turn()
    }
    this.#progress = added(this.#progress, records.length, rows)
    return { records, quarantined: rows.quarantined }
  }

  /** Closes the source, wherever it is. */
  async end(): Promise<void> {
    await this.#items.return?.()
  }
}

const tooManyRows = (maxRows: number) => new FeedFormatError(`เกิน ${maxRows} แถว ต้องแบ่งเป็นหลายไฟล์`)

type OpenChunk = Chunk & {
  lastLine: number
  doubts: Record<string, number>
  records: string[]
  quarantined: Chunk['quarantined'][number][]
}

const emptyChunk = (chunk: number): OpenChunk => ({ chunk, lastLine: 0, doubts: {}, records: [], quarantined: [] })

function added(before: StageProgress, records: number, { quarantined, doubts }: OpenChunk): StageProgress {
  return {
    read: before.read + records + quarantined.length,
    staged: before.staged + records,
    quarantined: before.quarantined + quarantined.length,
    doubts: summed(before.doubts, doubts),
  }
}

function summed(a: DoubtCounts, b: DoubtCounts): DoubtCounts {
  const kinds = new Set([...Object.keys(a), ...Object.keys(b)] as DoubtKind[])
  return Object.fromEntries([...kinds].map((kind) => [kind, (a[kind] ?? 0) + (b[kind] ?? 0)]))
}

function addItem(chunk: OpenChunk, item: FeedItem): void {
  const record = takenOf(chunk, item)
  if (record) chunk.records.push(JSON.stringify(record))
}

/** The record of a row, unless it is rejected: then it is quarantined. Neither has the id of a natural person. */
function takenOf(chunk: OpenChunk, row: FeedItem): FeedRecord | undefined {
  const item = hideInItem(row)
  chunk.lastLine = item.line
  if ('rejected' in item) {
    chunk.quarantined.push({ line: item.line, ...item.rejected })
    return undefined
  }
  if (!isStorable(item.record)) {
    const reason = 'มีอักขระ NUL หรืออักขระที่เก็บไม่ได้'
    chunk.quarantined.push({ line: item.line, reason, raw: rawForQuarantine(JSON.stringify(item.record)) })
    return undefined
  }
  for (const { kind } of [...(item.notes ?? []), ...(item.record.doubts ?? [])])
    chunk.doubts[kind] = (chunk.doubts[kind] ?? 0) + 1
  return item.record.name === undefined ? { ...item.record, line: item.line } : item.record
}

/** Whether PostgreSQL can hold all texts in it: no NUL, no half of a surrogate pair. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0')
  if (typeof value !== 'object' || value === null) return true
  for (const part of Object.values(value)) if (!isStorable(part)) return false
  return true
}
