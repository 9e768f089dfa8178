import { randomUUID } from 'node:crypto'
import type { JobHandler } from './job.ts'
import { claimJob, findDueJobKinds, pruneJobs } from './queries.ts'
import { type JobRunOptions, runJob } from './run-job.ts'
import { runPeriodically, type StoppableTask } from './run-periodically.ts'

/**
 * Users wait for reports, files and codes, so poll often. An empty queue costs one statement on an empty index for all
 * kinds together.
 */
const POLL_INTERVAL_MS = 250
const PRUNE_INTERVAL_MS = 60 * 60 * 1000

export type QueueWorkerOptions<Parts> = JobRunOptions<Parts> & { readonly kinds: readonly JobHandler<Parts>[] }

/**
 * Runs due jobs of these kinds, up to each kind's concurrency, until stopped. Any number of workers may share a
 * database. `stop` aborts running jobs and resolves when they have been released.
 */
export function startQueueWorker<Parts>(worker: QueueWorkerOptions<Parts>): StoppableTask {
  const { db, kinds, log, now } = worker
  const stopping = new AbortController()
  const runningJobs = new Map<string, Set<Promise<void>>>(kinds.map(({ kind }) => [kind, new Set()]))
  const failing = new Set<string>()
  const logFailure = (job: string) => (error: unknown) =>
    log.error({ err: error, job }, 'queue worker failed: will retry')

  function begin(kind: JobHandler<Parts>): void {
    const slots = runningJobs.get(kind.kind)!
    const slot = runStreak(worker, kind, stopping.signal)
      .then(() => void failing.delete(kind.kind))
      .catch((error: unknown) => {
        if (!failing.has(kind.kind) && !stopping.signal.aborted) logFailure(kind.kind)(error)
        failing.add(kind.kind)
      })
      .finally(() => slots.delete(slot))
    slots.add(slot)
  }

  const polling = runPeriodically({
    everyMs: POLL_INTERVAL_MS,
    async work() {
      const freeKinds = kinds.filter(({ kind, concurrency }) => runningJobs.get(kind)!.size < concurrency)
      if (freeKinds.length === 0) return
      const dueKinds = await findDueJobKinds(
        db,
        freeKinds.map(({ kind }) => kind),
        now(),
      )
      if (stopping.signal.aborted) return
      for (const kind of freeKinds) if (dueKinds.has(kind.kind)) begin(kind)
    },
    onFailure: logFailure('all'),
  })
  const pruning = runPeriodically({
    everyMs: PRUNE_INTERVAL_MS,
    async work() {
      for (const kind of kinds) {
        await pruneJobs(db, kind, now())
        await kind.prune?.(db, now(), worker.parts)
      }
    },
    onFailure: logFailure('prune'),
  })
  return {
    async stop() {
      stopping.abort()
      await Promise.all([polling.stop(), pruning.stop()])
      await Promise.all([...runningJobs.values()].flatMap((slots) => [...slots]))
    },
  }
}

export async function runDueJobs<Parts>(
  worker: QueueWorkerOptions<Parts>,
  signal: AbortSignal = new AbortController().signal,
): Promise<number> {
  let runs = 0
  for (const kind of worker.kinds) runs += await runStreak(worker, kind, signal)
  return runs
}

async function runStreak<Parts>(
  worker: QueueWorkerOptions<Parts>,
  kind: JobHandler<Parts>,
  stopping: AbortSignal,
): Promise<number> {
  const holder = randomUUID()
  const streak = {}
  let runs = 0
  while (!stopping.aborted) {
    const claim = await claimJob(worker.db, kind, holder, worker.now())
    if (!claim) break
    await runJob(worker, kind, claim, { stopping, streak })
    runs += 1
  }
  return runs
}
