import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startPostgresIn } from '../../test/server/postgres-server.ts'
import { describeMachine } from '../server/machine.ts'
import { type ServerProcess, startServerProcess } from '../server/own-server.ts'
import { FAILURE_DETECTION_MS, startRoundRobin } from '../server/round-robin.ts'
import { startSteadyTraffic, stopAndSummarize } from '../server/steady-traffic.ts'

/**
 * Restarts two servers behind a load balancer one after the other, as an upgrade does, with eight active users (R51).
 * Uses the port and the next one. Exits with 1 when a request failed or an acknowledged action is missing.
 *
 *   npx node bench/faults/rolling-restart.ts [--rounds 3] [--drain 3] [--port 4428] [--dir FOLDER]
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    drain: { type: 'string', default: '3' },
    port: { type: 'string', default: '4428' },
    dir: { type: 'string', default: path.join(tmpdir(), 'tamngan-bench-rolling') },
  },
})
const database = await startPostgresIn(path.join(values.dir, 'postgres'))
if (database === undefined) {
  console.error('rolling-restart  NOT MEASURED: there is no PostgreSQL server binary on this machine')
  process.exit(2)
}
const { url } = database
const secret = `${process.pid} a secret for this run of the bench, of the length it has to have`
const start = (index: number): Promise<ServerProcess> =>
  startServerProcess(
    String(Number(values.port) + index),
    path.join(values.dir, `data-${index}`),
    { DATABASE_URL: url, DRAIN_SECONDS: values.drain, AUTH_SECRET: secret.replaceAll(/[, ]/g, '-') },
    600_000,
  )
const servers = [await start(0), await start(1)]
const balancer = await startRoundRobin(servers.map(({ base }) => base))
const stops: number[] = []
let restarts = 0
let failed = 1
try {
  const traffic = await startSteadyTraffic(balancer.base)
  const startedAt = performance.now()
  await sleep(FAILURE_DETECTION_MS)
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const index of servers.keys()) {
      const stoppedAt = performance.now()
      await servers[index]!.stop()
      stops.push(performance.now() - stoppedAt)
      servers[index] = await start(index)
      restarts += 1
      await balancer.untilUsed(servers.map(({ base }) => base))
      await sleep(FAILURE_DETECTION_MS)
    }
  }
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  console.log(describeMachine())
  console.log(`${restarts} restarts in ${seconds} s`)
  failed = await stopAndSummarize(traffic, balancer)
  console.log(`longest stop ${(Math.max(...stops) / 1000).toFixed(1)} s, of which ${values.drain} s drain`)
} finally {
  await balancer.close()
  for (const server of servers) await server.stop()
  await database.stop('fast')
}
process.exit(failed === 0 ? 0 : 1)
