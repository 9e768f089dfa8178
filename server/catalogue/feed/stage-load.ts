import { setImmediate as turn } from 'node:timers/promises'
import type { DataIssueKind } from '#contract/catalogue/data-issue.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { toQuarantinedText } from './clean-text.ts'
import { FeedFormatError, type FeedRecord, type FeedRow, type FeedSource } from './feed-source.ts'
import {
  beginDataLoad,
  type DataIssueCounts,
  type DataLoadChunk,
  findStagingDataLoad,
  insertDataLoadChunk,
  markDataLoadFailed,
  type QuarantinedRow,
} from './load-queries.ts'
import { redactFeedRow } from './person/redact-personal-data.ts'

export type DataLoadStagingOptions = {
  readonly origin: string
  /** Equal for equal content. An interrupted load is resumed by a source with the same fingerprint. */
  readonly fingerprint: string
  readonly maxRows?: number
  readonly onProgress?: (progress: DataLoadStagingProgress) => void
}
export type DataLoadStagingProgress = {
  readonly read: number
  readonly staged: number
  readonly quarantined: number
  readonly doubts: DataIssueCounts
}
export type StagedDataLoad = DataLoadStagingProgress & {
  readonly loadId: number
  readonly resumedAfterLine: number
}
export type StartedDataLoad = StagedDataLoad & { readonly unread?: FeedRowReader }

/** Rows per chunk: about 0.7 MB of JSON, a tenth of a second of work between commits. */
const CHUNK_ROWS = 1_000

const ROWS_PER_TURN = 100

/** Maximum rows of a source: four times a whole year of e-GP contracts (4.7 million). */
const MAX_ROWS = 20_000_000

/**
 * Reads a source into the staging tables chunk by chunk; nothing becomes visible. After a crash the same call resumes
 * after the last committed chunk. An unusable source fails the load permanently.
 * @throws FeedFormatError from the source, after marking the load as failed with that message.
 */
export async function stageDataLoad(
  db: Db,
  source: FeedSource,
  options: DataLoadStagingOptions,
): Promise<StagedDataLoad> {
  const { unread: _, ...staged } = await beginStagingDataLoad(db, source, {
    ...options,
    maxChunks: Number.POSITIVE_INFINITY,
  })
  return staged
}

/**
 * Like `stageDataLoad`, but stages only the first `maxChunks` chunks; the rest can be published while it is read (decision
 * 0156).
 */
export async function beginStagingDataLoad(
  db: Db,
  source: FeedSource,
  options: DataLoadStagingOptions & { readonly maxChunks: number },
): Promise<StartedDataLoad> {
  const staging = await findStagingDataLoad(db, options.fingerprint)
  const loadId = staging?.loadId ?? (await beginDataLoad(db, { source: source.name, ...options }))
  const maxRows = options.maxRows ?? MAX_ROWS
  const resumedAfterLine = staging?.lastLine ?? 0
  let progress = {
    read: staging?.read ?? 0,
    staged: staging?.staged ?? 0,
    quarantined: staging?.quarantined ?? 0,
    doubts: staging?.doubts ?? {},
  }
  let chunk = emptyChunk(staging?.nextChunk ?? 0)

  let writing: Promise<void> = Promise.resolve()
  const write = async (full: OpenChunk) => {
    progress = addProgress(progress, full.records.length, full)
    await insertDataLoadChunk(db, loadId, full, progress.doubts)
    options.onProgress?.(progress)
  }
  const flush = async () => {
    await writing
    writing = write(chunk)
    // The next `await` receives the error; until then it must not count as unhandled.
    writing.catch(() => undefined)
    chunk = emptyChunk(chunk.chunk + 1)
  }

  const items = source.records(resumedAfterLine)[Symbol.asyncIterator]()
  try {
    while (chunk.chunk < options.maxChunks) {
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
    if (error instanceof FeedFormatError) await markDataLoadFailed(db, loadId, error.message)
    throw error
  }
  const staged = { loadId, resumedAfterLine, ...progress }
  return chunk.chunk < options.maxChunks
    ? staged
    : { ...staged, unread: new FeedRowReader(items, progress, maxRows, source) }
}

export type FeedRowBatch = { readonly records: readonly FeedRecord[]; readonly quarantined: readonly QuarantinedRow[] }

export class FeedRowReader {
  readonly #items: AsyncIterator<FeedRow>
  readonly #maxRows: number
  readonly #source: FeedSource
  #progress: DataLoadStagingProgress
  #isOver = false

  constructor(items: AsyncIterator<FeedRow>, progress: DataLoadStagingProgress, maxRows: number, source: FeedSource) {
    this.#items = items
    this.#progress = progress
    this.#maxRows = maxRows
    this.#source = source
  }

  get progress(): DataLoadStagingProgress {
    return this.#progress
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /**
   * Total number of rows: exact once the source has been read, before that estimated from the fraction read; undefined
   * if unknown.
   */
  get rows(): number | undefined {
    const { read } = this.#progress
    if (this.#isOver) return read
    const share = this.#source.shareRead?.() ?? 0
    return share > 0 ? Math.max(read, Math.round(read / share / 1_000) * 1_000) : undefined
  }

  async take(limit: number): Promise<FeedRowBatch> {
    const rows = emptyChunk(0)
    const records: FeedRecord[] = []
    while (records.length + rows.quarantined.length < limit) {
      const { done, value } = await this.#items.next()
      if (done) {
        this.#isOver = true
        break
      }
      if (this.#progress.read + records.length > this.#maxRows) throw tooManyRows(this.#maxRows)
      const record = acceptRow(rows, value)
      if (record) records.push(record)
      if (records.length % ROWS_PER_TURN === 0) await turn()
    }
    this.#progress = addProgress(this.#progress, records.length, rows)
    return { records, quarantined: rows.quarantined }
  }

  async end(): Promise<void> {
    await this.#items.return?.()
  }
}

const tooManyRows = (maxRows: number) => new FeedFormatError(`เกิน ${maxRows} แถว ต้องแบ่งเป็นหลายไฟล์`)

type OpenChunk = DataLoadChunk & {
  lastLine: number
  doubts: Record<string, number>
  records: string[]
  quarantined: DataLoadChunk['quarantined'][number][]
}

const emptyChunk = (chunk: number): OpenChunk => ({ chunk, lastLine: 0, doubts: {}, records: [], quarantined: [] })

function addProgress(
  before: DataLoadStagingProgress,
  records: number,
  { quarantined, doubts }: OpenChunk,
): DataLoadStagingProgress {
  return {
    read: before.read + records + quarantined.length,
    staged: before.staged + records,
    quarantined: before.quarantined + quarantined.length,
    doubts: sumCounts(before.doubts, doubts),
  }
}

function sumCounts(a: DataIssueCounts, b: DataIssueCounts): DataIssueCounts {
  const kinds = new Set([...Object.keys(a), ...Object.keys(b)] as DataIssueKind[])
  return Object.fromEntries([...kinds].map((kind) => [kind, (a[kind] ?? 0) + (b[kind] ?? 0)]))
}

function addItem(chunk: OpenChunk, item: FeedRow): void {
  const record = acceptRow(chunk, item)
  if (record) chunk.records.push(JSON.stringify(record))
}

function acceptRow(chunk: OpenChunk, row: FeedRow): FeedRecord | undefined {
  const item = redactFeedRow(row)
  chunk.lastLine = item.line
  if ('rejected' in item) {
    chunk.quarantined.push({ line: item.line, ...item.rejected })
    return undefined
  }
  if (!isStorable(item.record)) {
    const reason = 'มีอักขระ NUL หรืออักขระที่เก็บไม่ได้'
    chunk.quarantined.push({ line: item.line, reason, raw: toQuarantinedText(JSON.stringify(item.record)) })
    return undefined
  }
  for (const { kind } of [...(item.notes ?? []), ...(item.record.doubts ?? [])])
    chunk.doubts[kind] = (chunk.doubts[kind] ?? 0) + 1
  return item.record.name === undefined ? { ...item.record, line: item.line } : item.record
}

/** PostgreSQL text accepts neither NUL nor lone surrogates. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0')
  if (typeof value !== 'object' || value === null) return true
  for (const member of Object.values(value)) if (!isStorable(member)) return false
  return true
}
