import { createHash } from 'node:crypto'
import path from 'node:path'
import { findPublishedDataLoadCounts } from '#server/catalogue/feed/load-queries.ts'
import { createCgdPagesSource } from '#server/catalogue/feed/sources/cgd-json.ts'
import type { FileImportCounts } from '#server/catalogue/intake/files.ts'
import type { IntakeSourceProgress } from '#server/catalogue/intake/source-overviews.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { JobPostponedError } from '#server/platform/queue/job.ts'
import { DataLoadInProgressError, getNightlyRunDate, runDataLoad, withDataLoadLease } from '../load/run-load.ts'
import { importDataFile } from './import-data-file.ts'
import { writeQuarantineFile } from './write-quarantine-file.ts'

const LOAD_BUSY_RETRY_MS = 60_000

export type SourceImportOptions = {
  readonly dataDir: string
  readonly signal: AbortSignal
  now(): Date
  progress(value: IntakeSourceProgress): void
}

/**
 * Imports a file of a source as projects, agencies or budget items, as the command line does. Without `source`, the
 * content decides. Rejects with `FeedFormatError` for an unreadable file and with `JobPostponedError` while another load is
 * running.
 */
export async function importSourceFile(
  db: Db,
  file: { readonly path: string; readonly name: string; readonly source?: string | undefined },
  { dataDir, signal, now, progress }: SourceImportOptions,
): Promise<FileImportCounts> {
  const startedAt = performance.now()
  const report = await postponeWhileDataLoadRuns(now, () =>
    importDataFile(
      db,
      { file: file.path, source: file.source, origin: file.name, isOnce: true },
      {
        dataDir,
        signal,
        night: getNightlyRunDate(now()),
        waitMs: 0,
        onProgress: ({ done, total }) => {
          if (total === undefined) return
          const secondsLeft = done === 0 ? null : (((performance.now() - startedAt) / 1000) * (total - done)) / done
          progress({ unit: 'rows', done, total, secondsLeft })
        },
      },
    ),
  )
  if ('units' in report) return { read: report.read, quarantined: report.broken, newProjects: 0, updatedProjects: 0 }
  if ('agencies' in report) return { read: report.read, quarantined: report.broken, newProjects: 0, updatedProjects: 0 }
  if ('budgetLoadId' in report)
    return { read: report.read, quarantined: report.quarantined, newProjects: 0, updatedProjects: 0 }
  const { read, quarantined, newProjects, updatedProjects } = report
  return { read, quarantined, newProjects, updatedProjects }
}

export async function importSourcePages(
  db: Db,
  pages: readonly { readonly path: string; readonly hash: string }[],
  name: string,
  { dataDir, signal, now }: SourceImportOptions,
): Promise<FileImportCounts> {
  const hash = createHash('sha256')
  for (const page of pages) hash.update(page.hash)
  const fingerprint = `cgd-api:${hash.digest('hex')}`
  const published = await findPublishedDataLoadCounts(db, fingerprint)
  if (published) return published
  const source = createCgdPagesSource(pages.map((page) => page.path))
  return await postponeWhileDataLoadRuns(now, () =>
    withDataLoadLease(db, async (lease) => {
      const report = await runDataLoad(db, lease, source, {
        origin: name,
        fingerprint,
        signal,
        night: getNightlyRunDate(now()),
      })
      if (report.quarantined > 0) await writeQuarantineFile(db, report.loadId, path.join(dataDir, 'quarantine'))
      return report
    }),
  )
}

export async function postponeWhileDataLoadRuns<T>(now: () => Date, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    if (error instanceof DataLoadInProgressError)
      throw new JobPostponedError(new Date(now().getTime() + LOAD_BUSY_RETRY_MS))
    throw error
  }
}
