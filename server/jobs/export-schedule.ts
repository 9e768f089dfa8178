import { randomUUID } from 'node:crypto'
import { setImmediate as nextTick } from 'node:timers/promises'
import type { ReportRow } from '#contract/report/report.ts'
import { BACKGROUND_ROWS, MAX_EXPORT_ROWS } from '#contract/report/report-export.ts'
import { type Db, DbUnavailable } from '#server/engine/db.ts'
import { LeaseLost } from '#server/engine/lease.ts'
import { noteExportReady } from '#server/features/notification/create-notifications.ts'
import { type ExportList, listExport, loadExportRows } from '#server/features/report/queries-export.ts'
import { exportFileName } from '#server/features/report-export/queries.ts'
import {
  appendPart,
  type ClaimedExport,
  claimExport,
  type ExportOutcome,
  isExportDue,
  noteExportTotal,
  pruneExports,
  renewExport,
  settleExport,
} from '#server/features/report-export/queries-worker.ts'
import { writeExport } from '#server/features/report-export/write-export.ts'
import { repeatWork, type Schedule } from './repeat-work.ts'
import { waitAfter } from './wait-after.ts'

/** First wait after a failed try, and the longest: somebody watches. */
const WAITS = { firstMs: 1_000, longestMs: 60_000 }
/** Six tries take a minute. Then the person is told and may ask again. */
const MOST_TRIES = 6
const RENEW_MS = 15_000
/** Rows read and written in one go: the event loop is kept for some 15 ms. */
const PAGE_ROWS = 250

type ExportLog = Readonly<Record<'info' | 'warn' | 'error', (fields: object, text: string) => void>>
type ExportWork = {
  readonly db: Db
  readonly log: ExportLog
  now(): Date
  readonly signal?: AbortSignal | undefined
  /** Most projects in one file, where it is not `MAX_EXPORT_ROWS`. */
  readonly mostRows?: number
}

/** The report was loaded anew while the file was written: it would tell of two days. */
class ReportMoved extends Error {
  override readonly name = 'ReportMoved'
}

/**
 * Makes the files that people asked for, the one that has waited longest first; answers how many it tried. Several workers share the queue. What a worker
 * leaves behind when it is killed, another begins again after its lease (R52).
 */
export async function exportWaiting(work: ExportWork): Promise<number> {
  const { db, now, signal } = work
  const holder = randomUUID()
  let tried = 0
  while (!signal?.aborted) {
    const claim = await claimExport(db, holder, now())
    if (!claim) break
    await carryOut(work, claim)
    tried += 1
  }
  return tried
}

async function carryOut(work: ExportWork, claim: ClaimedExport): Promise<void> {
  const { db, log, now, signal } = work
  const startedAt = performance.now()
  const renewal = setInterval(() => {
    // A failed renewal is not fatal: each part is stored only while the claim holds.
    renewExport(db, claim, now()).catch(() => undefined)
  }, RENEW_MS)
  const line = { export: claim.id, organisation: claim.organisationId, format: claim.format, attempt: claim.attempts }
  try {
    const figures = await makeFile(work, claim)
    log.info({ ...line, ...figures, ms: Math.round(performance.now() - startedAt) }, 'exported')
  } catch (error) {
    // Cancelled, or in another worker's hands.
    if (error instanceof LeaseLost) return
    const outcome: ExportOutcome =
      signal?.aborted === true
        ? { state: 'waiting', nextAt: now(), failure: undefined }
        : failedOutcome(error, claim, now())
    await db.transaction((tx) => settleExport(tx, claim, outcome, now()))
    if (outcome.state === 'failed') log.error({ ...line, ...outcome }, 'not exported, given up')
    else if ('failure' in outcome && outcome.failure !== undefined)
      log.warn({ ...line, ...outcome }, 'not exported, to be tried again')
  } finally {
    clearInterval(renewal)
  }
}

function failedOutcome(error: unknown, { attempts }: ClaimedExport, now: Date): ExportOutcome {
  const failure = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  // A database that is away is not the export's fault: it is tried until it is back.
  if (attempts >= MOST_TRIES && !(error instanceof DbUnavailable)) return { state: 'failed', failure }
  return { state: 'waiting', failure, nextAt: new Date(now.getTime() + waitAfter(attempts, WAITS)) }
}

/** Writes the whole file part by part, then says that it is done, with its notification in the same transaction. */
async function makeFile(work: ExportWork, claim: ClaimedExport): Promise<{ rows: number; bytes: number }> {
  const { db, now, mostRows = MAX_EXPORT_ROWS } = work
  const list = await listExport(
    db,
    claim.query,
    { organisationId: claim.organisationId, userId: claim.userId, at: new Date(claim.requestedAt) },
    mostRows,
  )
  const total = list.ids.length
  held(await noteExportTotal(db, claim, { total, found: list.found }))
  let bytes = 0
  for await (const part of writeExport(claim, reportPages(work, claim, list), { ...list, total })) {
    held(await appendPart(db, claim, part))
    bytes += part.bytes.length
  }
  await db.transaction(async (tx) => {
    held(await settleExport(tx, claim, { state: 'done', done: total, bytes }, now()))
    if (total <= BACKGROUND_ROWS) return
    const { id, userId, organisationId, format, requestedAt } = claim
    const fileName = exportFileName(format, new Date(requestedAt))
    await noteExportReady(tx, { at: now(), userId, organisationId, exportId: id, fileName })
  })
  return { rows: total, bytes }
}

function held(isHeld: boolean): void {
  if (!isHeld) throw new LeaseLost('the export was cancelled or went to another worker')
}

/**
 * The rows of a list, page by page. The list is of one moment, the pages are read after it; where they turn out to be of another (a load was
 * published, or a project matches no longer), all of it begins again. So nothing is missed or doubled, and no transaction stays open meanwhile.
 */
async function* reportPages(
  { db, signal }: ExportWork,
  { organisationId, columns }: ClaimedExport,
  { ids, load }: ExportList,
): AsyncGenerator<ReportRow[]> {
  const withAttachments = columns.includes('attachments')
  for (let at = 0; at < ids.length; at += PAGE_ROWS) {
    signal?.throwIfAborted()
    const asked = ids.slice(at, at + PAGE_ROWS)
    const page = await loadExportRows(db, organisationId, asked, { withAttachments })
    if (page.load !== load || page.rows.length < asked.length) throw new ReportMoved('the report was loaded anew')
    // Others get their turn between reading and writing.
    await nextTick()
    yield page.rows
  }
}

/** Somebody waits for the file: a look at an empty queue costs one indexed query. */
const LOOK_EVERY_MS = 500
const PRUNE_EVERY_MS = 60 * 60 * 1000
/** A file of 100,000 projects must not hold up another's fifty. */
const WORKERS = 2

/** Makes exports as people ask for them, until it is stopped; what is under way is begun again at the next start. */
export function scheduleExports(db: Db, log: ExportLog, now: () => Date = () => new Date()): Schedule {
  const failed = (error: unknown) => log.error({ err: error }, 'reports are not exported')
  const make = async (signal: AbortSignal) => {
    if (await isExportDue(db, now())) await exportWaiting({ db, log, now, signal })
  }
  const parts = [
    ...Array.from({ length: WORKERS }, () => repeatWork({ everyMs: LOOK_EVERY_MS, work: make, failed })),
    repeatWork({ everyMs: PRUNE_EVERY_MS, work: () => pruneExports(db, now()), failed }),
  ]
  return {
    async stop() {
      await Promise.all(parts.map((part) => part.stop()))
    },
  }
}
