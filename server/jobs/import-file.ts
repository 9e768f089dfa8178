import path from 'node:path'
import type { Db } from '#server/engine/db.ts'
import type { LoadReport } from '#server/features/feed/load-report.ts'
import { openFeedFile } from '#server/features/feed/open-feed-file.ts'
import type { JobLease } from '#server/queue/lease.ts'
import { asOnlyLoader, PATIENCE_MS, type RunLoadOptions, runLoad } from './run-load.ts'
import { writeQuarantine } from './write-quarantine.ts'

export type ImportRequest = { readonly file: string; readonly source?: string | undefined }
export type ImportReport = LoadReport & {
  /** Where the rejected rows were written; undefined when there were none. */
  readonly quarantineFile: string | undefined
}

/** Takes in one file of projects. Rejects with `FeedFormatError` when it is none, with `LoadBusy` when another load is running. */
export async function importFile(
  db: Db,
  request: ImportRequest,
  options: Pick<RunLoadOptions, 'onProgress' | 'signal'> & { readonly dataDir: string },
): Promise<ImportReport> {
  const opened = await openFeedFile(request.file, { source: request.source })
  const load = async (lease: JobLease): Promise<ImportReport> => {
    const report = await runLoad(db, lease, opened.source, {
      origin: path.basename(request.file),
      fingerprint: opened.fingerprint,
      onProgress: options.onProgress,
      signal: options.signal,
    })
    const folder = path.join(options.dataDir, 'quarantine')
    return {
      ...report,
      quarantineFile: report.quarantined === 0 ? undefined : await writeQuarantine(db, report.loadId, folder),
    }
  }
  return await asOnlyLoader(db, load, PATIENCE_MS)
}
