import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { SAMPLE_PASSWORD } from '#sample/accounts/sample-organisations.ts'
import { describeMachine, getCpuSeconds } from '../server/machine.ts'
import { startServerProcess } from '../server/own-server.ts'

/**
 * Measures the cost of open tabs that poll for changes: each requests `GET /users/me/pulse` every twenty seconds, at
 * its own offset, while a colleague moves a project on the board every two seconds. Prints the server's CPU time with
 * and without the tabs, the pulse latency, and the delay until the team's tabs see a move.
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
/** Polling interval, the same as in `src/report/api/poll-for-data-changes.ts`. */
const POLL_MS = 20_000
const MOVE_MS = 2_000
/** Two users of one organisation, who see each other's moves, and one of another organisation. */
const EMAILS = ['manager@tharamek.example', 'sales@tharamek.example', 'manager@noensai.example']
const TEAM = 2
const STAGES = ['screened', 'pricing']

const server = await startServerProcess(values.port, values.dir)
try {
  const people = await Promise.all(EMAILS.map(enter))
  const project = await firstProject(people[1]!)
  await move(people[1]!, project, 0)
  console.log(describeMachine('PGlite', `${TABS} tabs`, `${values.seconds} s`))
  const cpuWithoutTabs = await busy(() => moving(people[1]!, project))
  const tabs: Tab[] = Array.from({ length: TABS }, (_, at) => ({
    access: people[at % people.length]!,
    isTeam: at % people.length < TEAM,
  }))
  const pulses: number[] = []
  const delays: number[] = []
  const moves: Move[] = []
  const open = await busy(async () => {
    const until = performance.now() + MS
    const looking = tabs.map((tab, at) => pollAsTab(tab, (at / TABS) * POLL_MS, until, moves, pulses, delays))
    await moving(people[1]!, project, moves)
    await Promise.all(looking)
  })
  say('server CPU, moves only', `${(cpuWithoutTabs * 100).toFixed(1)} % of a core`)
  say(`… with ${TABS} tabs`, `${(open * 100).toFixed(1)} % of a core`)
  say('a pulse', `${pulses.length}, p50 ${at(pulses, 0.5)} p95 ${at(pulses, 0.95)} p99 ${at(pulses, 0.99)} ms`)
  say(
    'delay until a move is visible',
    `p50 ${at(delays, 0.5)} p95 ${at(delays, 0.95)} longest ${at(delays, 1)} ms, n ${delays.length}`,
  )
} finally {
  await server.stop()
}

type Tab = { readonly access: string; readonly isTeam: boolean }
type Move = { readonly version: number; readonly at: number }
type Pulse = { readonly pursuit_version: number }

async function busy(work: () => Promise<void>): Promise<number> {
  const [before, begun] = [getCpuSeconds(server.pid), performance.now()]
  await work()
  return (getCpuSeconds(server.pid) - before) / ((performance.now() - begun) / 1_000)
}

/** Simulates one tab. After each pulse it records how long ago every newly visible move happened. */
async function pollAsTab(
  tab: Tab,
  first: number,
  until: number,
  moves: readonly Move[],
  pulses: number[],
  delays: number[],
): Promise<void> {
  await sleep(first)
  let seenVersion = Number.POSITIVE_INFINITY
  while (performance.now() < until) {
    const begun = performance.now()
    const { pursuit_version } = await request<Pulse>(tab.access, '/users/me/pulse')
    const now = performance.now()
    pulses.push(now - begun)
    if (tab.isTeam)
      for (const { version, at } of moves)
        if (version > seenVersion && version <= pursuit_version) delays.push(now - at)
    seenVersion = pursuit_version
    await sleep(POLL_MS)
  }
}

async function moving(access: string, project: string, moves: Move[] = []): Promise<void> {
  const until = performance.now() + MS
  for (let turn = 1; performance.now() < until; turn += 1) {
    await move(access, project, turn)
    const { pursuit_version } = await request<Pulse>(access, '/users/me/pulse')
    moves.push({ version: pursuit_version, at: performance.now() })
    await sleep(MOVE_MS)
  }
}

function move(access: string, project: string, turn: number): Promise<unknown> {
  return request(access, `/pursuits/${project}`, {
    method: 'PATCH',
    body: JSON.stringify({ actions: [{ action: 'set_stage', stage: STAGES[turn % STAGES.length] }] }),
  })
}

async function firstProject(access: string): Promise<string> {
  const { results } = await request<{ results: { project_id: string }[] }>(access, '/projects')
  return results[0]!.project_id
}

async function enter(email: string): Promise<string> {
  const body = JSON.stringify({ email, password: SAMPLE_PASSWORD })
  return (await request<{ access: string }>('', '/auth/login/', { method: 'POST', body })).access
}

async function request<T>(access: string, to: string, init: RequestInit = {}): Promise<T> {
  const headers = { 'content-type': 'application/json', ...(access !== '' && { authorization: `Bearer ${access}` }) }
  const answer = await fetch(`${server.base}/api/v2${to}`, { ...init, headers })
  if (!answer.ok) throw new Error(`${to}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}

function at(times: readonly number[], share: number): string {
  const sorted = times.toSorted((a, b) => a - b)
  return (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN).toFixed(0)
}

function say(what: string, figure: string): void {
  console.log(`  ${what.padEnd(44)}${figure}`)
}
