import { setTimeout as sleep } from 'node:timers/promises'
import type { RouteApp } from '#server/platform/route/route-app.ts'

export type ServerDrain = {
  isDraining(): boolean
  /**
   * Makes `/readyz` answer 503 while requests are still served; resolves after `seconds`, when the load balancer has
   * stopped routing here.
   */
  begin(seconds: number): Promise<void>
}

/** Creates the drain, which covers the time between the stop signal and the end of new connections (R51). */
export function createServerDrain(): ServerDrain {
  let draining = false
  return {
    isDraining: () => draining,
    async begin(seconds) {
      draining = true
      if (seconds > 0) await sleep(seconds * 1000)
    },
  }
}

/**
 * While draining, closes each connection after its response, so that a load balancer does not reuse it for a request
 * that would arrive too late.
 */
export function closeConnectionsWhileDraining(drain: ServerDrain, app: RouteApp): void {
  app.addHook('onRequest', async (_request, reply) => {
    if (drain.isDraining()) reply.header('connection', 'close')
  })
}
