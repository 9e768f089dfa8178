import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import sql from 'sql-template-tag'
import { SAMPLE_PASSWORD } from '#sample/accounts/sample-organisations.ts'
import { createDb } from '#server/platform/engine/create-db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { type RestartablePostgres, startPostgresIn, startReplicaIn } from '../../test/server/postgres-server.ts'
import { describeMachine } from '../server/machine.ts'
import { startServerProcess } from '../server/own-server.ts'

/**
 * Measures what a report request costs each node, with the primary alone and with 1, 2 and 3 read replicas: CPU time
 * per request, which other load hardly affects. On a two-core machine more nodes do not raise throughput; the
 * throughput on separate machines follows from the most expensive node.
 *
 *   npx node bench/scale/read-nodes.ts [--seconds 15] [--port 4442] [--nodes 0,1,2,3]
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '15' },
    port: { type: 'string', default: '4442' },
    nodes: { type: 'string', default: '0,1,2,3' },
  },
})
const USERS = ['manager@tharamek.example', 'sales@tharamek.example', 'manager@noensai.example', 'bid@noensai.example']
const ASK = [
  '',
  '?page=2',
  '?project_budget__range=100000,5000000',
  '?sort=-project_money',
  '?project_name__in=กล้อง',
  '/facets',
]
const TICK_MS = 10

const folder = mkdtempSync(path.join(tmpdir(), 'tamngan-read-nodes-'))
chmodSync(folder, 0o755)
const nodeFolder = (n: number) => path.join(folder, `node-${n}`)
const first = await startPostgresIn(nodeFolder(0), ['max_connections=200'])
if (first === undefined) {
  console.error('read-nodes  NOT MEASURED: there is no PostgreSQL server binary on this machine')
  process.exit(2)
}
const nodes: RestartablePostgres[] = [first]
console.log(describeMachine())
try {
  const filling = await startServerProcess(values.port, path.join(folder, 'fill'), { DATABASE_URL: first.url }, 600_000)
  await filling.stop()
  const maxReplicas = Math.max(...values.nodes.split(',').map(Number))
  for (let n = 1; n <= maxReplicas; n += 1) nodes.push((await startReplicaIn(nodeFolder(n), first.url))!)
  console.log(
    '| columns in memory | replicas | requests, refused | server ms | primary ms | each replica ms | all ms |',
  )
  console.log('|---|---|---|---|---|---|---|')
  for (const memory of ['600', '0']) for (const count of values.nodes.split(',')) await measure(Number(count), memory)
} finally {
  for (const node of nodes.toReversed()) await node.stop('immediate')
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}
console.log(describeMachine())

async function measure(count: number, memoryMb: string): Promise<void> {
  const used = nodes.slice(1, count + 1)
  const server = await startServerProcess(values.port, path.join(folder, 'data'), {
    DATABASE_URL: first!.url,
    SEED: 'none',
    REPORT_MEMORY_MB: memoryMb,
    // Jobs are off, because they would distort the CPU time of the server.
    JOBS: 'off',
    ...(count > 0 && { DATABASE_REPLICA_URL: used.map(({ url }) => url).join(',') }),
  })
  try {
    await settle(used)
    const people = await Promise.all(USERS.map((email) => enter(server.base, email)))
    // These requests warm up lazily loaded code, query plans and caches.
    await sendRequests(server.base, people, 3)
    const before = [ticksOf(server.pid), ...nodes.map((_, n) => ticksOfNode(n))]
    const { asked: requestCount, refused } = await sendRequests(server.base, people, Number(values.seconds))
    const msPerNode = [ticksOf(server.pid), ...nodes.map((_, n) => ticksOfNode(n))].map(
      (ticks, n) => ((ticks - before[n]!) * TICK_MS) / requestCount,
    )
    const cells = [msPerNode[0]!, msPerNode[1]!].map((ms) => ms.toFixed(1))
    const replicas = msPerNode.slice(2, count + 2).map((ms) => ms.toFixed(1))
    const all = msPerNode.slice(0, count + 2).reduce((sum, ms) => sum + ms, 0)
    console.log(
      `| ${memoryMb === '0' ? 'no' : 'yes'} | ${count} | ${requestCount}, ${refused} | ${cells.join(' | ')} | ${replicas.join(', ') || '–'} | ${all.toFixed(1)} |`,
    )
  } finally {
    await server.stop()
  }
}

async function settle(used: readonly RestartablePostgres[]): Promise<void> {
  const primary = createDb(await openPostgres(first!.url))
  const [row] = await primary.query<{ at: string }>(sql`select pg_current_wal_flush_lsn()::text as at`)
  await primary.close()
  for (const { url } of used) {
    const replica = createDb(await openPostgres(url))
    for (let is = false; !is; ) {
      const [there] = await replica.query<{ is: boolean }>(
        sql`select pg_last_wal_replay_lsn() >= ${row!.at}::pg_lsn as is`,
      )
      is = there!.is
    }
    await replica.close()
  }
}

async function enter(base: string, email: string): Promise<string> {
  const answer = await fetch(`${base}/api/v2/auth/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: SAMPLE_PASSWORD }),
  })
  if (!answer.ok) throw new Error(`login: ${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { access: string }).access
}

async function sendRequests(base: string, people: readonly string[], seconds: number) {
  const until = performance.now() + seconds * 1_000
  let requestCount = 0
  let refused = 0
  await Promise.all(
    people.map(async (access) => {
      for (let turn = 0; performance.now() < until; turn += 1) {
        const answer = await fetch(`${base}/api/v2/projects${encodeURI(ASK[turn % ASK.length]!)}`, {
          headers: { authorization: `Bearer ${access}` },
        })
        await answer.arrayBuffer()
        requestCount += 1
        if (!answer.ok) refused += 1
      }
    }),
  )
  return { asked: requestCount, refused }
}

function ticksOf(pid: number | string): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
    return stat.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0)
  } catch {
    return 0
  }
}

function ticksOfNode(n: number): number {
  const mainPid = readFileSync(path.join(nodeFolder(n), 'data', 'postmaster.pid'), 'utf8').split('\n')[0]!
  const children = readdirSync('/proc').filter((pid) => {
    try {
      return (
        /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[1] === mainPid
      )
    } catch {
      return false
    }
  })
  return [mainPid, ...children].reduce((sum, pid) => sum + ticksOf(pid), 0)
}
