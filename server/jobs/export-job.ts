import { setImmediate as nextTick } from 'node:timers/promises'
import { TEAM_COLUMNS } from '#contract/catalogue/report-columns.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { BACKGROUND_ROWS, MAX_EXPORT_ROWS } from '#contract/report/report-export.ts'
import { notifyExportReady } from '#server/account/notification/create-notifications.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { slicesOf } from '#server/platform/engine/in-batches.ts'
import { defineJob, type JobContext, LeaseLost } from '#server/platform/queue/job.ts'
import { answerExport } from '#server/report/answer-lists.ts'
import {
  type AskedExport,
  appendPart,
  clearParts,
  EXPORT_JOB,
  exportFileName,
  findAskedExport,
  pruneExports,
  saveBytes,
  saveTotal,
} from '#server/report/export/queries.ts'
import { writeExport } from '#server/report/export/write-export.ts'
import type { ReportMemory } from '#server/report/memory/report-memory.ts'
import { type ExportList, loadExportRows } from '#server/report/queries-export.ts'

/** Rows read and written in one go: the event loop is kept for some 15 ms. */
const PAGE_ROWS = 250

/** The report was loaded anew while the file was written: it would tell of two days. */
class ReportMoved extends Error {
  override readonly name = 'ReportMoved'
}

/** What answers the report; without it SQL does. */
export type ReportParts = { readonly memory?: ReportMemory | undefined }

/** Makes a file that somebody asked for. What a worker leaves behind when it is killed, another begins again after its lease (R52). */
export const exportJob = makeExportJob(MAX_EXPORT_ROWS)

/** `mostRows`: most projects in one file. */
export function makeExportJob(mostRows: number) {
  return defineJob<{ export: string }, ReportParts>({
    ...EXPORT_JOB,
    // A file of 100,000 projects must not hold up another's fifty.
    concurrency: 2,
    servesByOrganisation: true,
    // Six tries take a minute: somebody watches. Then the person is told and may ask again.
    maxAttempts: 6,
    backoff: { firstMs: 1_000, longestMs: 60_000 },
    async run(context, { export: id }) {
      const { db, confirm } = context
      const clear = () =>
        db.transaction(async (tx) => {
          await confirm(tx)
          await clearParts(tx, id)
        })
      // What a worker that died had written.
      await clear()
      const asked = await findAskedExport(db, id)
      if (!asked) return
      try {
        return await makeFile(context, asked, mostRows)
      } catch (error) {
        // A part of a file is of no use to anybody. Where it cannot be taken away now, the next try does so.
        if (!(error instanceof LeaseLost)) await clear().catch(() => undefined)
        throw error
      }
    },
    prune: pruneExports,
  })
}

/** Writes the whole file part by part, then says that it is done, with its notification in the same transaction. */
async function makeFile(
  { db, parts, now, signal, confirm, saveProgress, finish }: JobContext<ReportParts>,
  asked: AskedExport,
  mostRows: number,
): Promise<{ rows: number; bytes: number }> {
  const { id, organisationId, userId, format, requestedAt } = asked
  const scope = { organisationId, userId, at: new Date(requestedAt) }
  const list = await answerExport({ db, memory: parts.memory }, asked.query, scope, mostRows)
  const total = list.ids.length
  await db.transaction(async (tx) => {
    await confirm(tx)
    await saveTotal(tx, id, { total, found: list.found })
  })
  let bytes = 0
  for await (const part of writeExport(asked, reportPages(db, signal, asked, list), { ...list, total })) {
    // Stored only while the job is ours: a cancelled one grows no more.
    await db.transaction(async (tx) => {
      await saveProgress(tx, { done: part.done })
      await appendPart(tx, id, part)
    })
    bytes += part.bytes.length
  }
  await db.transaction(async (tx) => {
    await saveProgress(tx, { done: total })
    await finish(tx)
    await saveBytes(tx, id, bytes)
    if (total <= BACKGROUND_ROWS) return
    const fileName = exportFileName(format, new Date(requestedAt))
    await notifyExportReady(tx, { at: now(), userId, organisationId, exportId: id, fileName })
  })
  return { rows: total, bytes }
}

/**
 * The rows of a list, page by page. The list is of one moment, the pages are read after it; where they turn out to be of another (a load was
 * published, or a project matches no longer), all of it begins again. So nothing is missed or doubled, and no transaction stays open meanwhile.
 */
async function* reportPages(
  db: Db,
  signal: AbortSignal,
  { organisationId, columns }: AskedExport,
  { ids, load }: ExportList,
): AsyncGenerator<ReportRow[]> {
  const withAttachments = columns.includes('attachments')
  const withPursuits = columns.some((field) => TEAM_COLUMNS.includes(field))
  for (const asked of slicesOf(ids, PAGE_ROWS)) {
    signal.throwIfAborted()
    const page = await loadExportRows(db, organisationId, asked, { withAttachments, withPursuits })
    if (page.load !== load || page.rows.length < asked.length) throw new ReportMoved('the report was loaded anew')
    // Others get their turn between reading and writing.
    await nextTick()
    yield page.rows
  }
}
