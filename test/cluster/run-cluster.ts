import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type Cluster, findMissingPrograms } from './commands.ts'
import { assignPorts, isDatabase, isNode, NODES } from './plan.ts'
import { findPid, killNode } from './processes.ts'
import { fetchDatabaseState, startCluster, startNode, stopCluster } from './up.ts'

/**
 * A whole cluster on this machine, loopback only, everything below one folder: etcd, three PostgreSQL under Patroni, HAProxy, PgBouncer, two servers, a worker.
 *
 *   npx node test/cluster/run-cluster.ts up|down|status [--dir FOLDER] [--port 4720] [--seed sample|none]
 *   npx node test/cluster/run-cluster.ts kill|start NODE
 *
 * `kill` is `kill -9`, of a database with all its processes, as when a machine fails; `start` brings a node back. The packages: etcd-server, patroni, haproxy, pgbouncer, postgresql.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    dir: { type: 'string', default: path.join(tmpdir(), 'tamngan-cluster') },
    port: { type: 'string', default: '4720' },
    seed: { type: 'string', default: 'sample' },
  },
})
const [command, name] = positionals
const cluster: Cluster = {
  folder: path.resolve(values.dir),
  ports: assignPorts(Number(values.port)),
  seed: values.seed === 'none' ? 'none' : 'sample',
}

function fail(text: string): never {
  console.error(text)
  process.exit(1)
}

async function showStatus(): Promise<void> {
  for (const node of NODES) {
    const pid = findPid(cluster.folder, node)
    const state = isDatabase(node) ? await fetchDatabaseState(cluster, node) : undefined
    const description = state ? `${state.role}${state.isSynchronous ? ', synchronous' : ''}, ${state.state}` : ''
    console.log(`${node.padEnd(10)} ${pid === undefined ? 'down' : `process ${pid}`}  ${description}`)
  }
}

const missing = findMissingPrograms()
if (missing.length > 0) fail(`not installed on this machine: ${missing.join(', ')}`)
if (command === 'up') {
  await startCluster(cluster, console.log)
  console.log(`http://localhost:${cluster.ports.web}`)
} else if (command === 'down') await stopCluster(cluster, console.log)
else if (command === 'status') await showStatus()
else if (command === 'kill' && isNode(name)) await killNode(cluster.folder, name)
else if (command === 'start' && isNode(name)) startNode(cluster, name)
else fail(`usage: up, down, status, kill NODE or start NODE, where NODE is one of ${NODES.join(', ')}`)
