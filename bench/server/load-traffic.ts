import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { BENCH_SEARCHES } from '../data/report-searches.ts'
import type { Caller } from './load-database.ts'

const KINDS = ['page', 'facets', 'detail', 'action'] as const
export type Kind = (typeof KINDS)[number]
/** `at`: when it was due, in ms since the beginning. */
export type Sample = { readonly kind: Kind; readonly at: number; readonly ms: number; readonly status: number }

/** More than this under way: the server has lost, and the generator must not fall with it. */
const MOST_UNDER_WAY = 1_000
const PATIENCE_MS = 20_000

type Asked = { readonly method: string; readonly path: string; readonly body?: string }

/** Sends requests over kept-open connections, as browsers and proxies do. */
export function createSender(base: string, connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, maxFreeSockets: connections })
  const { hostname, port } = new URL(base)
  /** Resolves with the status when the whole answer is here; 0 when there was none. */
  function send({ method, path, body }: Asked, bearer: string): Promise<number> {
    return new Promise((resolve) => {
      const asked = request(
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
      const late = setTimeout(() => asked.destroy(), PATIENCE_MS)
      asked.on('error', () => undefined)
      // However it ended; an answer that came whole has been told by then.
      asked.on('close', () => {
        clearTimeout(late)
        resolve(0)
      })
      asked.end(body)
    })
  }
  return { send, close: () => agent.destroy() }
}

export type Sender = ReturnType<typeof createSender>

/** Repeatable chances, so that two runs send the same things in the same order. */
export function createDice(seed: number): () => number {
  let state = seed
  // mulberry32: neighbouring throws tell nothing of each other.
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const one = <T>(values: readonly T[], dice: () => number): T => values[Math.floor(dice() * values.length)]!

/** What one person does at one moment: 80 % look at the report (its page and its facets at once), 15 % open a project, 5 % mark one. */
export function nextDeed(caller: Caller, dice: () => number): [Kind, Asked][] {
  const deed = dice()
  const id = one(caller.projectIds, dice)
  if (deed < 0.8) {
    const query = new URLSearchParams(one(BENCH_SEARCHES, dice)).toString()
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
 * Deeds of random callers, `rate` a second on average, at moments that do not wait for answers (a Poisson process): a server that stalls
 * gets them all the same, and what each took counts from the moment at which it was due.
 */
export async function drive(
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
    const caller = one(callers, dice)
    const dueAt = due
    for (const [kind, asked] of nextDeed(caller, dice)) {
      if (underway.size >= MOST_UNDER_WAY) {
        samples.push({ kind, at: dueAt - begun, ms: PATIENCE_MS, status: 0 })
        continue
      }
      const done: Promise<void> = sender.send(asked, caller.bearer).then((status) => {
        samples.push({ kind, at: dueAt - begun, ms: performance.now() - dueAt, status })
        underway.delete(done)
      })
      underway.add(done)
    }
  }
  await Promise.all(underway)
  return samples
}

export const isGood = ({ status }: Sample) => status === 200

export function percentile(samples: readonly Sample[], share: number): number {
  const sorted = samples.map(({ ms }) => ms).toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}

/** One line a kind: how many, p50 / p95 / p99 / longest, and answers that were not 200. */
export function table(samples: readonly Sample[]): string {
  const line = (name: string, some: readonly Sample[]) => {
    const times = [0.5, 0.95, 0.99, 1].map((share) => percentile(some, share).toFixed(0).padStart(6)).join(' /')
    const bad = some.filter((sample) => !isGood(sample))
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

/** p99 of each tenth of the time, ms: whether a slow moment was one, or does not end. */
export function inTenths(samples: readonly Sample[]): string {
  const end = samples.reduce((last, { at }) => Math.max(last, at), 0) + 1
  const tenths = Array.from({ length: 10 }, (_, i) => samples.filter(({ at }) => Math.floor((at / end) * 10) === i))
  return tenths.map((some) => percentile(some, 0.99).toFixed(0)).join(' ')
}
