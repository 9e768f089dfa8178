import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { SAMPLE_PASSWORD } from '#sample/accounts/sample-organisations.ts'
import { computedSeconds, machineLine } from '../server/machine.ts'
import { startOwnServer } from '../server/own-server.ts'

/**
 * What open tabs cost that look for news: each asks `GET /users/me/pulse` every twenty seconds, at a moment of its own, while one colleague moves a project of the board every two seconds. Tells the
 * processor time of the server by what it does without them, how long a pulse takes, and after how long the tabs of the team know of a move.
 *
 *   npx node bench/screens/tabs.ts [--tabs 500] [--seconds 60] [--port 4422] [--dir FOLDER]
 */
const { values } = parseArgs({
  options: {
    tabs: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '60' },
    port: { type: 'string', default: '4422' },
    dir: { type: 'string', default: path.join(tmpdir(), 'tamngan-bench-rows') },
  },
})
const TABS = Number(values.tabs)
const MS = Number(values.seconds) * 1_000
/** As `src/report/api/change-poll.ts` has it. */
const POLL_MS = 20_000
const MOVE_MS = 2_000
/** Two of one organisation, who see each other's moves, and one of another. */
const WHO = ['manager@tharamek.example', 'sales@tharamek.example', 'manager@noensai.example']
const TEAM = 2
const STAGES = ['screened', 'pricing']

const server = await startOwnServer(values.port, values.dir)
try {
  const people = await Promise.all(WHO.map(enter))
  const project = await firstProject(people[1]!)
  await move(people[1]!, project, 0)
  console.log(machineLine('PGlite', `${TABS} tabs`, `${values.seconds} s`))
  const alone = await busy(() => moving(people[1]!, project))
  const tabs: Tab[] = Array.from({ length: TABS }, (_, at) => ({
    access: people[at % people.length]!,
    isTeam: at % people.length < TEAM,
  }))
  const pulses: number[] = []
  const told: number[] = []
  const moves: Move[] = []
  const open = await busy(async () => {
    const until = performance.now() + MS
    const looking = tabs.map((tab, at) => look(tab, (at / TABS) * POLL_MS, until, moves, pulses, told))
    await moving(people[1]!, project, moves)
    await Promise.all(looking)
  })
  say('processor of the server, the moves alone', `${(alone * 100).toFixed(1)} % of a core`)
  say(`… with ${TABS} tabs`, `${(open * 100).toFixed(1)} % of a core`)
  say('a pulse', `${pulses.length}, p50 ${at(pulses, 0.5)} p95 ${at(pulses, 0.95)} p99 ${at(pulses, 0.99)} ms`)
  say('a move is known after', `p50 ${at(told, 0.5)} p95 ${at(told, 0.95)} longest ${at(told, 1)} ms, n ${told.length}`)
} finally {
  await server.stop()
}

type Tab = { readonly access: string; readonly isTeam: boolean }
type Move = { readonly version: number; readonly at: number }
type Pulse = { readonly pursuit_version: number }

/** Share of one core that the server used meanwhile. */
async function busy(work: () => Promise<void>): Promise<number> {
  const [before, begun] = [computedSeconds(server.pid), performance.now()]
  await work()
  return (computedSeconds(server.pid) - before) / ((performance.now() - begun) / 1_000)
}

/** One tab: after each pulse it notes of every move that is new to it how long ago that was. */
async function look(
  tab: Tab,
  first: number,
  until: number,
  moves: readonly Move[],
  pulses: number[],
  told: number[],
): Promise<void> {
  await sleep(first)
  let known = Number.POSITIVE_INFINITY
  while (performance.now() < until) {
    const begun = performance.now()
    const { pursuit_version } = await ask<Pulse>(tab.access, '/users/me/pulse')
    const now = performance.now()
    pulses.push(now - begun)
    if (tab.isTeam)
      for (const { version, at } of moves) if (version > known && version <= pursuit_version) told.push(now - at)
    known = pursuit_version
    await sleep(POLL_MS)
  }
}

async function moving(access: string, project: string, moves: Move[] = []): Promise<void> {
  const until = performance.now() + MS
  for (let turn = 1; performance.now() < until; turn += 1) {
    await move(access, project, turn)
    const { pursuit_version } = await ask<Pulse>(access, '/users/me/pulse')
    moves.push({ version: pursuit_version, at: performance.now() })
    await sleep(MOVE_MS)
  }
}

function move(access: string, project: string, turn: number): Promise<unknown> {
  return ask(access, `/pursuits/${project}`, {
    method: 'PATCH',
    body: JSON.stringify({ actions: [{ action: 'set_stage', stage: STAGES[turn % STAGES.length] }] }),
  })
}

async function firstProject(access: string): Promise<string> {
  const { results } = await ask<{ results: { project_id: string }[] }>(access, '/projects')
  return results[0]!.project_id
}

async function enter(email: string): Promise<string> {
  const body = JSON.stringify({ email, password: SAMPLE_PASSWORD })
  return (await ask<{ access: string }>('', '/auth/login/', { method: 'POST', body })).access
}

async function ask<T>(access: string, to: string, init: RequestInit = {}): Promise<T> {
  const headers = { 'content-type': 'application/json', ...(access !== '' && { authorization: `Bearer ${access}` }) }
  const answer = await fetch(`${server.base}/api/v2${to}`, { ...init, headers })
  if (!answer.ok) throw new Error(`${to}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}

function at(times: readonly number[], share: number): string {
  const sorted = times.toSorted((one, other) => one - other)
  return (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN).toFixed(0)
}

function say(what: string, figure: string): void {
  console.log(`  ${what.padEnd(44)}${figure}`)
}
