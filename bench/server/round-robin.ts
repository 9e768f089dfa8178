import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_INTERVAL_MS = 500
/** Time after which the balancer, which polls twice a second, has certainly noticed a change. */
export const FAILURE_DETECTION_MS = 1_500
const RECHECK_DELAY_MS = 100

type RoundRobin = {
  readonly base: string
  untilUsed(expectedTargets: readonly string[]): Promise<void>
  sentTo(target: string): number
  unserved(): number
  close(): Promise<void>
}

/**
 * Starts a minimal balancer. It polls each server's `/readyz` twice a second, drops a server after two failures, sends
 * each request to the next ready server over keep-alive connections, and never retries, so that every dropped request
 * is visible.
 */
export async function startRoundRobin(targets: readonly string[]): Promise<RoundRobin> {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 16 })
  const ready = new Set(targets)
  const failedChecks = new Map<string, number>()
  const sent = new Map<string, number>()
  let turn = 0
  let unserved = 0

  async function checkReadiness(): Promise<void> {
    for (const target of targets) {
      const isReady = await fetch(`${target}/readyz`, { signal: AbortSignal.timeout(POLL_INTERVAL_MS * 4) }).then(
        ({ ok }) => ok,
        () => false,
      )
      failedChecks.set(target, isReady ? 0 : (failedChecks.get(target) ?? 0) + 1)
      if (isReady) ready.add(target)
      else if (failedChecks.get(target)! >= 2) ready.delete(target)
    }
  }
  let timer = setTimeout(async function again() {
    await checkReadiness()
    timer = setTimeout(again, POLL_INTERVAL_MS)
  }, POLL_INTERVAL_MS)

  function pass(incoming: IncomingMessage, answer: ServerResponse): void {
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
      `${target}${incoming.url}`,
      { agent, method: incoming.method ?? 'GET', headers: incoming.headers },
      (from) => {
        const { connection: _, ...headers } = from.headers
        answer.writeHead(from.statusCode ?? 502, headers)
        from.pipe(answer)
      },
    )
    passed.on('error', () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end()))
    incoming.pipe(passed)
  }

  const server = createServer(pass)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async untilUsed(expectedTargets) {
      while (targets.some((target) => ready.has(target) !== expectedTargets.includes(target)))
        await sleep(RECHECK_DELAY_MS)
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
