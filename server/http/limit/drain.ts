import { setTimeout as sleep } from 'node:timers/promises'
import type { RouteApp } from '#server/platform/route/route-app.ts'

export type Drain = {
  isDraining(): boolean
  /** From now on `/readyz` says 503 while requests are answered as ever; resolves after this long, when the balancer has turned away. */
  begin(seconds: number): Promise<void>
}

/** The time between the stop signal and the end of new connections (R51). */
export function createDrain(): Drain {
  let draining = false
  return {
    isDraining: () => draining,
    async begin(seconds) {
      draining = true
      if (seconds > 0) await sleep(seconds * 1000)
    },
  }
}

/** While draining each answer is the last of its connection, so that a balancer keeps none open for a request that would come too late. */
export function endConnectionsWhile(drain: Drain, app: RouteApp): void {
  app.addHook('onRequest', async (_request, reply) => {
    if (drain.isDraining()) reply.header('connection', 'close')
  })
}
