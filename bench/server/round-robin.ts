import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const LOOK_EVERY_MS = 500
/** After this the balancer has certainly seen what changed: it looks twice a second. */
export const SEEN_MS = 1_500
const LOOK_AGAIN_MS = 100

export type RoundRobin = {
  readonly base: string
  /** Until it sends requests to each of these and to nobody else. */
  untilUsed(wanted: readonly string[]): Promise<void>
  /** How many requests it has sent to this server. */
  sentTo(target: string): number
  /** Requests that found no server ready. */
  unserved(): number
  close(): Promise<void>
}

/**
 * A balancer as simple as they come: asks each server's `/readyz` twice a second, leaves out who was not ready twice, sends each request to the next one that is ready over kept-open connections,
 * and tries none twice, so that whatever a server drops is seen.
 */
export async function startRoundRobin(targets: readonly string[]): Promise<RoundRobin> {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 16 })
  const ready = new Set(targets)
  const failedLooks = new Map<string, number>()
  const sent = new Map<string, number>()
  let turn = 0
  let unserved = 0

  async function look(): Promise<void> {
    for (const target of targets) {
      const isReady = await fetch(`${target}/readyz`, { signal: AbortSignal.timeout(LOOK_EVERY_MS * 4) }).then(
        ({ ok }) => ok,
        () => false,
      )
      failedLooks.set(target, isReady ? 0 : (failedLooks.get(target) ?? 0) + 1)
      if (isReady) ready.add(target)
      else if (failedLooks.get(target)! >= 2) ready.delete(target)
    }
  }
  let timer = setTimeout(async function again() {
    await look()
    timer = setTimeout(again, LOOK_EVERY_MS)
  }, LOOK_EVERY_MS)

  function pass(asked: IncomingMessage, answer: ServerResponse): void {
    const up = targets.filter((target) => ready.has(target))
    turn += 1
    const target = up[turn % Math.max(1, up.length)]
    if (target === undefined) {
      unserved += 1
      answer.writeHead(502).end()
      return
    }
    sent.set(target, (sent.get(target) ?? 0) + 1)
    const passed = request(
      `${target}${asked.url}`,
      { agent, method: asked.method ?? 'GET', headers: asked.headers },
      (from) => {
        const { connection: _, ...headers } = from.headers
        answer.writeHead(from.statusCode ?? 502, headers)
        from.pipe(answer)
      },
    )
    passed.on('error', () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end()))
    asked.pipe(passed)
  }

  const server = createServer(pass)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async untilUsed(wanted) {
      while (targets.some((target) => ready.has(target) !== wanted.includes(target))) await sleep(LOOK_AGAIN_MS)
    },
    sentTo: (target) => sent.get(target) ?? 0,
    unserved: () => unserved,
    async close() {
      clearTimeout(timer)
      agent.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
