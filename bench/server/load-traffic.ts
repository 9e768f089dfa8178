import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { BENCH_SEARCHES } from '../data/report-searches.ts'
import type { Caller } from './load-database.ts'

const KINDS = ['page', 'facets', 'detail', 'action'] as const
type RequestKind = (typeof KINDS)[number]
/** A measured request. `at`: when the request was due, in ms since the start. */
export type Sample = { readonly kind: RequestKind; readonly at: number; readonly ms: number; readonly status: number }

/** With more requests in flight than this, the server has failed. The limit protects the generator's memory. */
const MAX_IN_FLIGHT = 1_000
const MAX_WAIT_MS = 20_000

type RequestSpec = { readonly method: string; readonly path: string; readonly body?: string }

/** Each request in flight may have its own connection, as in browsers: with fewer, pages wait here behind slow facets. */
export function createSender(base: string) {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: MAX_IN_FLIGHT })
  const { hostname, port } = new URL(base)
  /** Resolves with the status once the complete response has arrived; 0 if there was none. */
  function send({ method, path, body }: RequestSpec, bearer: string): Promise<number> {
    return new Promise((resolve) => {
      const outgoing = request(
        {
          agent,
          hostname,
          port,
          method,
          path: `/api/v2${path}`,
          headers: {
            authorization: `Bearer ${bearer}`,
            'accept-encoding': 'gzip, br',
            ...(body === undefined
              ? {}
              : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
          },
        },
        (answer) => {
          answer.on('end', () => resolve(answer.statusCode ?? 0)).on('error', () => undefined)
          answer.resume()
        },
      )
      const late = setTimeout(() => outgoing.destroy(), MAX_WAIT_MS)
      outgoing.on('error', () => undefined)
      // The close event also follows a failure. After a complete response the promise is already resolved, so this is a
      // no-op.
      outgoing.on('close', () => {
        clearTimeout(late)
        resolve(0)
      })
      outgoing.end(body)
    })
  }
  return { send, close: () => agent.destroy() }
}

export type Sender = ReturnType<typeof createSender>

const pick = <T>(values: readonly T[], dice: () => number): T => values[Math.floor(dice() * values.length)]!

/** Picks a random user action: 80 % view the report (page and facets together), 15 % open a project, 5 % mark one. */
export function pickAction(caller: Caller, dice: () => number): [RequestKind, RequestSpec][] {
  const deed = dice()
  const id = pick(caller.projectIds, dice)
  if (deed < 0.8) {
    const query = new URLSearchParams(pick(BENCH_SEARCHES, dice)).toString()
    return [
      ['page', { method: 'GET', path: `/projects?${query}` }],
      ['facets', { method: 'GET', path: `/projects/facets?${query}` }],
    ]
  }
  if (deed < 0.95) return [['detail', { method: 'GET', path: `/projects/${id}` }]]
  const action = dice() < 0.5 ? 'add' : 'remove'
  const body =
    dice() < 0.6
      ? { bookmark_action: { action, project_id: id } }
      : { label_action: { action: 'assign_label', label_id: 'l2', project_id: id } }
  return [['action', { method: 'PATCH', path: '/users/me', body: JSON.stringify(body) }]]
}

/**
 * Sends actions of random callers, `rate` per second on average, at times independent of the responses (a Poisson
 * process). A stalled server still receives them all, and latency counts from the moment a request was due.
 */
export async function runTraffic(
  sender: Sender,
  callers: readonly Caller[],
  { rate, seconds, dice }: { rate: number; seconds: number; dice: () => number },
): Promise<Sample[]> {
  const samples: Sample[] = []
  const underway = new Set<Promise<void>>()
  const begun = performance.now()
  let due = begun
  for (;;) {
    due += (-Math.log(1 - dice()) / rate) * 1000
    if (due > begun + seconds * 1000) break
    const early = due - performance.now()
    if (early > 1) await sleep(early)
    const caller = pick(callers, dice)
    const dueAt = due
    for (const [kind, requestSpec] of pickAction(caller, dice)) {
      if (underway.size >= MAX_IN_FLIGHT) {
        samples.push({ kind, at: dueAt - begun, ms: MAX_WAIT_MS, status: 0 })
        continue
      }
      const done: Promise<void> = sender.send(requestSpec, caller.bearer).then((status) => {
        samples.push({ kind, at: dueAt - begun, ms: performance.now() - dueAt, status })
        underway.delete(done)
      })
      underway.add(done)
    }
  }
  await Promise.all(underway)
  return samples
}

export const isSuccessful = ({ status }: Sample) => status === 200

export function computePercentile(samples: readonly Sample[], share: number): number {
  const sorted = samples.map(({ ms }) => ms).toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}

export function formatLatencyTable(samples: readonly Sample[]): string {
  const line = (name: string, some: readonly Sample[]) => {
    const times = [0.5, 0.95, 0.99, 1].map((share) => computePercentile(some, share).toFixed(0).padStart(6)).join(' /')
    const bad = some.filter((sample) => !isSuccessful(sample))
    const statuses = [...new Set(bad.map(({ status }) => status))].join(', ')
    return `  ${name.padEnd(8)} ${String(some.length).padStart(7)}  p50 / p95 / p99 / max ms ${times}   errors ${bad.length}${statuses && ` (${statuses})`}`
  }
  return [
    ...KINDS.map((kind) =>
      line(
        kind,
        samples.filter((sample) => sample.kind === kind),
      ),
    ),
    line('all', samples),
  ].join('\n')
}

/** Returns the p99 in ms for each tenth of the run, which shows whether a slow phase was temporary. */
export function formatLatencyByTenth(samples: readonly Sample[]): string {
  const end = samples.reduce((last, { at }) => Math.max(last, at), 0) + 1
  const tenths = Array.from({ length: 10 }, (_, i) => samples.filter(({ at }) => Math.floor((at / end) * 10) === i))
  return tenths.map((some) => computePercentile(some, 0.99).toFixed(0)).join(' ')
}
