import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import sql from 'sql-template-tag'
import { createDb } from '#server/platform/engine/create-db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { getProxiedUrl, startFaultProxy } from '../../test/server/fault-proxy.ts'
import { type RestartablePostgres, startPostgresIn, startReplicaIn } from '../../test/server/postgres-server.ts'
import { describeMachine } from '../server/machine.ts'
import { startServerProcess } from '../server/own-server.ts'
import { startRoundRobin } from '../server/round-robin.ts'
import { startSteadyTraffic } from '../server/steady-traffic.ts'

/**
 * Runs a primary and two replicas (one synchronous), two servers and eight constantly active users while a replica
 * lags, a network link is silent, or a disk is full on one node: no response may be wrong, and users must read their
 * own writes. Each user fetches their stars after each star; each report must contain all its projects. Uses the port
 * and the next one. Exits with 1 when a response was wrong, an acknowledged action is missing, or a report request
 * failed.
 *
 *   npx node bench/faults/sick-replicas.ts [--seconds 60] [--only NAME,NAME] [--port 4432]
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    only: { type: 'string' },
    port: { type: 'string', default: '4432' },
  },
})
const DISK_MB = 2_048
/** Free space that PostgreSQL still has on a "full" disk. */
const LEFT_MB = 20
/** Each round writes about 12 MB of rows and as much WAL. */
const ROUNDS = 8
const HEAL_MS = 5_000

const folder = mkdtempSync(path.join(tmpdir(), 'tamngan-sick-'))
chmodSync(folder, 0o755)
const disks = [path.join(folder, 'disk-primary'), path.join(folder, 'disk-replica')] as const
const haveSmallDisks = disks.every(mountSmall)
// The exit handler is registered early, so that a failed setup is cleaned up too.
process.once('exit', () => {
  for (const disk of disks) if (haveSmallDisks) execFileSync('umount', ['--lazy', disk])
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
})
const primary = await startPostgresIn(path.join(disks[0], 'server'), ['max_connections=200', 'max_wal_size=128MB'])
if (primary === undefined) {
  console.error('sick-replicas  NOT MEASURED: there is no PostgreSQL server binary on this machine')
  process.exit(2)
}
const portOf = ({ url }: RestartablePostgres) => ({ host: '127.0.0.1', port: Number(new URL(url).port) })
const admin = createDb(await openPostgres(primary.url))
const data = startServerProcess(values.port, path.join(folder, 'fill'), { DATABASE_URL: primary.url }, 600_000)
await (await data).stop()
// Replication links from the primary to the replicas. `wires` are the links from the servers to the replicas.
const streams = [await startFaultProxy(portOf(primary)), await startFaultProxy(portOf(primary))]
const replicas: RestartablePostgres[] = []
for (const [n, stream] of streams.entries()) {
  const dataFolder = n === 1 ? path.join(disks[1], 'server') : path.join(folder, 'replica')
  replicas.push((await startReplicaIn(dataFolder, getProxiedUrl(primary.url, stream)))!)
}
const direct = await Promise.all(replicas.map(async ({ url }) => createDb(await openPostgres(url))))
await admin.script(`alter system set synchronous_standby_names = 'ANY 1 (*)'`)
await admin.script('create table flood (n int, text text)')
await admin.query(sql`select pg_reload_conf()`)
const wires = await Promise.all(replicas.map((replica) => startFaultProxy(portOf(replica))))
const settings = {
  DATABASE_URL: primary.url,
  DATABASE_REPLICA_URL: replicas.map(({ url }, n) => getProxiedUrl(url, wires[n]!)).join(','),
  AUTH_SECRET: `a-secret-for-this-run-of-the-bench-${process.pid}`.padEnd(40, '-'),
  SEED: 'none',
}
const servers = await Promise.all(
  [0, 1].map((n) =>
    startServerProcess(String(Number(values.port) + n), path.join(folder, `data-${n}`), settings, 600_000),
  ),
)
const balancer = await startRoundRobin(servers.map(({ base }) => base))
const broken: string[] = []
console.log(describeMachine())

type Fault = { readonly name: string; begin(): Promise<unknown>; heal(): Promise<unknown>; readonly needsDisk?: true }
const pause = (n: number) => direct[n]!.query(sql`select pg_wal_replay_pause()`)
const resume = (n: number) => direct[n]!.query(sql`select pg_wal_replay_resume()`)
const silence = async (wire: (typeof wires)[number]) => wire.set({ kind: 'hang' })
/**
 * Restores the links. Half-open connections never recover, so they are closed, as timeouts would close them in
 * production.
 */
async function repair(wire: (typeof wires)[number]) {
  wire.set({ kind: 'pass' })
  wire.reset()
}
const FAULTS: readonly Fault[] = [
  { name: 'nothing', begin: async () => undefined, heal: async () => undefined },
  { name: 'one replica lags', begin: () => pause(0), heal: () => resume(0) },
  {
    name: 'both replicas lag',
    begin: () => Promise.all([pause(0), pause(1)]),
    heal: () => Promise.all([resume(0), resume(1)]),
  },
  { name: 'servers and a replica apart', begin: () => silence(wires[0]!), heal: () => repair(wires[0]!) },
  { name: 'primary and a replica apart', begin: () => silence(streams[0]!), heal: () => repair(streams[0]!) },
  { name: 'disk of the primary full', needsDisk: true, begin: () => flood(0), heal: () => freeDiskSpace(0) },
  { name: 'disk of a replica full', needsDisk: true, begin: () => flood(1), heal: () => freeDiskSpace(1) },
]

try {
  for (const fault of FAULTS) {
    if (values.only && !values.only.split(',').includes(fault.name)) continue
    if (fault.needsDisk && !haveSmallDisks) console.log(`${fault.name}: NOT MEASURED, only root may mount a small disk`)
    else await suffer(fault)
  }
} finally {
  await balancer.close()
  for (const server of servers) await server.stop()
  await Promise.all([...direct, admin].map((connection) => connection.close().catch(() => undefined)))
  for (const wire of [...wires, ...streams]) await wire.close()
  for (const instance of [...replicas, primary]) await instance.stop('immediate').catch(() => undefined)
}
console.log(describeMachine())
for (const text of broken) console.log(`BROKEN  ${text}`)
process.exit(broken.length === 0 ? 0 : 1)

async function suffer({ name, begin, heal }: Fault): Promise<void> {
  const traffic = await startSteadyTraffic(balancer.base, { seesOwn: true })
  await sleep(2_000)
  const before = await replicaAnswers()
  const from = performance.now()
  await begin()
  await sleep(Number(values.seconds) * 1_000)
  const during = await replicaAnswers()
  await heal()
  await sleep(HEAL_MS)
  const lost = await traffic.stop()
  const after = await replicaAnswers()
  const hit = traffic.requests.filter(({ startedAt }) => startedAt > from)
  const reads = hit.filter(({ what }) => what !== 'action')
  const refused = reads.filter(({ status }) => status !== 200)
  const actions = hit.filter(({ what }) => what === 'action')
  const owns = hit.filter(({ what, status }) => what === 'own' && status === 200).length
  const longest = (all: readonly { ms: number }[]) => (Math.max(0, ...all.map(({ ms }) => ms)) / 1000).toFixed(1)
  console.log(
    [
      `${name}: ${reads.length} reads, ${refused.length} refused, longest ${longest(reads)} s`,
      `${actions.length} actions, ${actions.filter(({ status }) => status !== 200).length} refused, longest ${longest(actions)} s`,
      `own writes read back ${owns} times`,
      `wrong answers ${traffic.wrong.length}, lost ${lost.length}`,
      `responses of the replicas during the fault ${during.map((count, n) => count - before[n]!).join(' and ')}, after it ${after.map((count, n) => count - during[n]!).join(' and ')}`,
    ].join('; '),
  )
  for (const { what, status, why, startedAt, ms } of refused.slice(0, 5))
    console.log(
      `  ${what} ${status} ${why ?? ''}, sent after ${((startedAt - from) / 1000).toFixed(1)} s, response after ${(ms / 1000).toFixed(1)} s`,
    )
  if (traffic.wrong.length > 0) broken.push(`${name}: ${traffic.wrong.slice(0, 3).join('; ')}`)
  if (lost.length > 0) broken.push(`${name}: ${lost.slice(0, 3).join('; ')}`)
  if (refused.length > 0) broken.push(`${name}: ${refused.length} reads were not answered`)
}

async function replicaAnswers(): Promise<number[]> {
  const counts = [0, 0]
  for (const { base } of servers) {
    const text = await (await fetch(`${base}/metrics`)).text()
    for (const [, n, count] of text.matchAll(/^replica_answers\{replica="(\d)"\} (\d+)$/gm))
      counts[Number(n) - 1]! += Number(count)
  }
  return counts
}

function mountSmall(disk: string): boolean {
  mkdirSync(disk)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tamngan-bench', disk], { stdio: 'ignore' })
    chmodSync(disk, 0o777)
    return true
  } catch {
    return false
  }
}

/**
 * Fills the small disk of the primary (0) or of the second replica (1) almost completely; then the primary writes more
 * than fits.
 */
async function flood(n: 0 | 1): Promise<void> {
  const { bavail, bsize } = statfsSync(disks[n])
  const count = Math.floor((bavail * bsize) / 2 ** 20) - LEFT_MB
  execFileSync('dd', ['if=/dev/zero', `of=${path.join(disks[n], 'ballast')}`, 'bs=1M', `count=${count}`], {
    stdio: 'ignore',
  })
  for (let round = 0; round < ROUNDS; round += 1) {
    const wrote = await admin
      .execute(sql`insert into flood select g, repeat(md5(g::text), 30) from generate_series(1, 10000) g`)
      .catch((error: Error) => error.message)
    if (typeof wrote === 'string') return console.log(`  error from the primary: ${wrote}`)
  }
}

/** Acts as an operator would: frees disk space and restarts the processes that stopped by themselves. */
async function freeDiskSpace(n: 0 | 1): Promise<void> {
  rmSync(path.join(disks[n], 'ballast'), { force: true })
  const server = n === 0 ? primary! : replicas[1]!
  const connection = n === 0 ? admin : direct[1]!
  const isThere = await connection.query(sql`select 1`).then(
    () => true,
    () => false,
  )
  console.log(`  it ${isThere ? 'is still running' : 'stopped by itself and is being restarted'}`)
  if (isThere) return
  await server.stop('immediate').catch(() => undefined)
  await server.start()
}
