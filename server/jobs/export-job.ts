import { setImmediate as nextTick } from 'node:timers/promises'
import type { ReportRow } from '#contract/report/report.ts'
import { BACKGROUND_EXPORT_THRESHOLD_ROWS, MAX_EXPORT_ROWS } from '#contract/report/report-export.ts'
import { notifyExportReady } from '#server/account/notification/create-notifications.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { prefetchSlices, splitIntoSlices } from '#server/platform/engine/process-in-batches.ts'
import { defineJob, type JobContext, LeaseLostError } from '#server/platform/queue/job.ts'
import { type ExportList, findExportList, loadExportRows } from '#server/report/export/export-list.ts'
import {
  appendExportPart,
  deleteExportParts,
  EXPORT_JOB_TYPE,
  findRequestedExport,
  formatExportFileName,
  pruneExports,
  type RequestedExport,
  saveExportBytes,
  saveExportTotals,
} from '#server/report/export/queries.ts'
import { writeExport } from '#server/report/export/write-export.ts'
import { createReportEngine } from '#server/report/report-engine.ts'
import type { ReportEngine } from '#server/report/report-queries.ts'

/** Rows read per page. Reading a page of this size blocks the event loop for some 15 ms. */
const PAGE_ROWS = 250

/**
 * Thrown when a load was published while the file was being written, because the file would mix the data of two days.
 */
class ReportChanged extends Error {
  override readonly name = 'ReportMoved'
}

export type ExportJobDependencies = { readonly reports?: ReportEngine }

/** Writes a requested export file. If a worker is killed, another restarts the job after its lease expires (R52). */
export const exportJob = createExportJob(MAX_EXPORT_ROWS)

export function createExportJob(maxRows: number) {
  return defineJob<{ export: string }, ExportJobDependencies>({
    ...EXPORT_JOB_TYPE,
    // Two slots, so that a file of 100,000 projects does not block a file of fifty.
    concurrency: 2,
    servesByOrganisation: true,
    // Six attempts take a minute, as long as a user waits; then the user is notified and can request it again.
    maxAttempts: 6,
    backoff: { firstMs: 1_000, maxMs: 60_000 },
    async run(context, { export: id }) {
      const { db, confirm } = context
      const clear = () =>
        db.transaction(async (tx) => {
          await confirm(tx)
          await deleteExportParts(tx, id)
        })
      await clear()
      const exportRequest = await findRequestedExport(db, id)
      if (!exportRequest) return
      try {
        return await writeFile(context, exportRequest, maxRows)
      } catch (error) {
        // A partial file is useless, so delete it. If the deletion fails now, the next attempt repeats it.
        if (!(error instanceof LeaseLostError)) await clear().catch(() => undefined)
        throw error
      }
    },
    prune: pruneExports,
  })
}

async function writeFile(
  { db, parts, now, signal, confirm, saveProgress, finish }: JobContext<ExportJobDependencies>,
  exportRequest: RequestedExport,
  maxRows: number,
): Promise<{ rows: number; bytes: number }> {
  const { id, organisationId, userId, format, requestedAt } = exportRequest
  const scope = { organisationId, userId, at: new Date(requestedAt) }
  const list = await findExportList(db, parts.reports ?? createReportEngine(db), exportRequest.query, scope, maxRows)
  const total = list.ids.length
  await db.transaction(async (tx) => {
    await confirm(tx)
    await saveExportTotals(tx, id, { total, found: list.found })
  })
  let bytes = 0
  for await (const part of writeExport(exportRequest, reportPages(db, signal, exportRequest, list), {
    ...list,
    total,
  })) {
    // Each part confirms the lease, so that a cancelled job stops writing.
    await db.transaction(async (tx) => {
      await saveProgress(tx, { done: part.done })
      await appendExportPart(tx, id, part)
    })
    bytes += part.bytes.length
  }
  await db.transaction(async (tx) => {
    await saveProgress(tx, { done: total })
    await finish(tx)
    await saveExportBytes(tx, id, bytes)
    if (total <= BACKGROUND_EXPORT_THRESHOLD_ROWS) return
    const fileName = formatExportFileName(format, new Date(requestedAt))
    await notifyExportReady(tx, { at: now(), userId, organisationId, exportId: id, fileName })
  })
  return { rows: total, bytes }
}

/**
 * Yields the rows of a list page by page. The list is a snapshot, but its pages are read later; if a page turns out to
 * be newer (a load was published, or a project no longer matches), the whole export restarts. So no row is missing or
 * duplicated, without a long transaction.
 */
async function* reportPages(
  db: Db,
  signal: AbortSignal,
  { organisationId, columns }: RequestedExport,
  { ids, load }: ExportList,
): AsyncGenerator<ReportRow[]> {
  const pages = prefetchSlices(splitIntoSlices(ids, PAGE_ROWS), async (pageIds) => {
    const page = await loadExportRows(db, organisationId, pageIds, columns)
    if (page.load !== load || page.rows.length < pageIds.length)
      throw new ReportChanged('the report was reloaded during the export')
    return page.rows
  })
  for await (const rows of pages) {
    signal.throwIfAborted()
    await nextTick()
    yield rows
  }
}
