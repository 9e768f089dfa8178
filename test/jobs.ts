import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import type { JobHandler, JobLog } from '#server/platform/queue/job.ts'
import { runDueJobs } from '#server/platform/queue/job-worker.ts'

export const silentLog: JobLog = { info: () => undefined, warn: () => undefined, error: () => undefined }

type DueWork<Parts> = {
  readonly db: Db
  readonly now: Date | (() => Date)
  readonly parts?: Parts
  readonly log?: JobLog
  readonly signal?: AbortSignal
}

export function runDue<Parts>(kind: JobHandler<Parts>, { db, now, log = silentLog, ...over }: DueWork<Parts>) {
  const clock = now instanceof Date ? () => now : now
  return runDueJobs({ db, kinds: [kind], parts: over.parts as Parts, log, now: clock }, over.signal)
}

type JobRow = {
  key: string
  state: string
  attempts: number
  last_error: string | null
  progress: unknown
  leased_by: string | null
}

export function jobsOf(db: Db, kind: string): Promise<JobRow[]> {
  return db.query(
    sql`select key, state, attempts, last_error, progress, leased_by from jobs where kind = ${kind} order by id`,
  )
}
