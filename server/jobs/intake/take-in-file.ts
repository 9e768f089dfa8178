import { createHash } from 'node:crypto'
import path from 'node:path'
import { findPublished } from '#server/catalogue/feed/load-queries.ts'
import { cgdPagesSource } from '#server/catalogue/feed/sources/cgd-json.ts'
import type { TakenIn } from '#server/catalogue/intake/files.ts'
import type { SourceProgress } from '#server/catalogue/intake/overview.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { JobPostponed } from '#server/platform/queue/job.ts'
import { asOnlyLoader, LoadBusy, nightOf, runLoad } from '../load/run-load.ts'
import { importAny } from './import-directory.ts'
import { writeQuarantine } from './write-quarantine.ts'

/** Retry interval during a long load; the file stays stored meanwhile. */
const TRY_LOAD_MS = 60_000

export type TakeInOptions = {
  readonly dataDir: string
  readonly signal: AbortSignal
  now(): Date
  progress(value: SourceProgress): void
}

/**
 * Imports a file of a source as projects, agencies or budget items, like the command line does. Without `source`, the
 * content decides. Rejects with `FeedFormatError` for an unreadable file and with `JobPostponed` while another load is
 * running.
 */
export async function takeInFile(
  db: Db,
  file: { readonly path: string; readonly name: string; readonly source?: string | undefined },
  { dataDir, signal, now, progress }: TakeInOptions,
): Promise<TakenIn> {
  const begun = performance.now()
  const report = await whenLoadsRest(now, () =>
    importAny(
      db,
      { file: file.path, source: file.source, origin: file.name, isOnce: true },
      {
        dataDir,
        signal,
        night: nightOf(now()),
        waitMs: 0,
        onProgress: ({ done, total }) => {
          if (total === undefined) return
          const secondsLeft = done === 0 ? null : (((performance.now() - begun) / 1000) * (total - done)) / done
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

/** Imports pages of the contract interface as one load, skipping pages that are already published. */
export async function takeInPages(
  db: Db,
  pages: readonly { readonly path: string; readonly hash: string }[],
  name: string,
  { dataDir, signal, now }: TakeInOptions,
): Promise<TakenIn> {
  const hash = createHash('sha256')
  for (const page of pages) hash.update(page.hash)
  const fingerprint = `cgd-api:${hash.digest('hex')}`
  const published = await findPublished(db, fingerprint)
  if (published) return published
  const source = cgdPagesSource(pages.map((page) => page.path))
  return await whenLoadsRest(now, () =>
    asOnlyLoader(db, async (lease) => {
      const report = await runLoad(db, lease, source, { origin: name, fingerprint, signal, night: nightOf(now()) })
      if (report.quarantined > 0) await writeQuarantine(db, report.loadId, path.join(dataDir, 'quarantine'))
      return report
    }),
  )
}

export async function whenLoadsRest<T>(now: () => Date, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    if (error instanceof LoadBusy) throw new JobPostponed(new Date(now().getTime() + TRY_LOAD_MS))
    throw error
  }
}
