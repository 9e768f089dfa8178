import type { SampleProgress } from '#contract/sample-progress.ts'
import { findFilling } from '#server/catalogue/feed/fill-load.ts'
import type { Terminal } from '#server/cli/terminal.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { finishSeed } from './seed.ts'

export type SampleArrival = {
  /** undefined before and after; remains set if the rest failed. */
  progress(): SampleProgress | undefined
  start(log: RouteApp['log']): void
  /** Stops after the current part; the next start continues. */
  stop(): Promise<void>
}

/** Loads the rest of the demo data while the server is already serving (decision 0036). */
export async function createSampleArrival(db: Db, terminal: Terminal): Promise<SampleArrival> {
  const stopping = new AbortController()
  let progress: SampleProgress | undefined = await findFilling(db)
  const isFirst = progress !== undefined
  let running: Promise<void> | undefined

  async function arrive(log: RouteApp['log']): Promise<void> {
    try {
      await finishSeed(db, {
        signal: stopping.signal,
        onProgress: ({ phase, done, total }) => {
          if (phase === 'publish' && total !== undefined) progress = { done, total }
        },
      })
      progress = undefined
      if (isFirst) terminal.log(`The whole sample is in after ${process.uptime().toFixed(1)} s.`)
    } catch (error) {
      if (stopping.signal.aborted) return
      if (progress !== undefined) progress = { ...progress, stopped: true }
      log.error({ err: error }, 'the sample did not arrive in full: the next start goes on')
    }
  }
  return {
    progress: () => progress,
    start(log) {
      running = arrive(log)
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}
