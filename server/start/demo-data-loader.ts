import type { DemoDataProgress } from '#contract/readiness.ts'
import { demoDataSetup } from '#sample/sample.ts'
import { findProgressiveDataLoad } from '#server/catalogue/feed/progressive-load.ts'
import type { CommandLineOutput } from '#server/cli/terminal.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'

export type DemoDataLoader = {
  /**
   * Returns the progress; undefined before and after loading. If loading failed, returns the progress it had reached.
   */
  progress(): DemoDataProgress | undefined
  start(log: RouteApp['log']): void
  stop(): Promise<void>
}

/** Creates a loader for the rest of the demo data, which loads while the server is already serving (decision 0036). */
export async function createDemoDataLoader(db: Db, terminal: CommandLineOutput): Promise<DemoDataLoader> {
  const stopping = new AbortController()
  let progress: DemoDataProgress | undefined = await findProgressiveDataLoad(db)
  const isFirst = progress !== undefined
  let running: Promise<void> | undefined

  async function arrive(log: RouteApp['log']): Promise<void> {
    try {
      await demoDataSetup.finishSeed(db, {
        signal: stopping.signal,
        onProgress: ({ phase, done, total }) => {
          if (phase === 'publish' && total !== undefined) progress = { done, total }
        },
      })
      progress = undefined
      if (isFirst) terminal.log(`All demo data was imported after ${process.uptime().toFixed(1)} s.`)
    } catch (error) {
      if (stopping.signal.aborted) return
      if (progress !== undefined) progress = { ...progress, stopped: true }
      log.error({ err: error }, 'demo data import incomplete: the next start continues it')
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
