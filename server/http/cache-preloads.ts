import type { RouteApp } from '#server/platform/route/route-app.ts'

declare module 'fastify' {
  interface FastifyInstance {
    readonly cachePreloads: CachePreloads
  }
}

/**
 * Loads of caches that take seconds on a large database. `startServer` runs them periodically, so that no user's
 * request waits for them after a start or a published load. While nothing changed, a run costs a few small queries.
 */
export type CachePreloads = {
  add(load: () => Promise<unknown>): void
  /** Loads one cache after another, so that users' requests get most of the database. */
  run(signal: AbortSignal): Promise<void>
}

export function createCachePreloads(app: RouteApp): CachePreloads {
  const loads: (() => Promise<unknown>)[] = []
  const preloads: CachePreloads = {
    add: (load) => loads.push(load),
    async run(signal) {
      for (const load of loads) {
        if (signal.aborted) return
        await load()
      }
    },
  }
  app.decorate('cachePreloads', preloads)
  return preloads
}
