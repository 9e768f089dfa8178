import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { createSeededRandom } from '../test/world/seeded.ts'
import type { Caller } from './server/load-database.ts'
import { startLoadServer } from './server/load-server.ts'
import {
  computePercentile,
  createSender,
  formatLatencyTable,
  isSuccessful,
  pickAction,
  runTraffic,
  type Sample,
  type Sender,
} from './server/load-traffic.ts'

/**
 * Measures what other organisations notice when one floods the real server (R42): sixteen use it as in bench/load.ts,
 * at about half of its maximum rate; then the seventeenth sends over 200 connections, from 20 users, each as fast as
 * responses arrive. Measures before, during and after; takes three times `--seconds`. Targets: the others' p95 at most
 * 1.5 times that without the flood, and no errors. The data are those of bench/load.ts, built once in FOLDER and
 * reused. Server, database and generator share the machine.
 *
 *   npx node bench/flood.ts [--rate 10] [--seconds 60] [--connections 200] [--projects 1000000] [--dir FOLDER] [--port 4330]
 */
const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '60' },
    connections: { type: 'string', default: '200' },
    projects: { type: 'string', default: '1000000' },
    dir: { type: 'string', default: path.join(tmpdir(), 'tamngan-bench-load') },
    port: { type: 'string', default: '4330' },
  },
})
const WANTED_RATIO = 1.5
const USERS_EACH = 20
const FLOODING = 1
/** Rate during warm-up, when SQL answers because the columns are still loading; the full rate would overload SQL. */
const WARM_UP = { rate: 8, seconds: 60 }

const { server, callers, close } = await startLoadServer({
  ...values,
  usersEach: USERS_EACH,
  env: { RATE_LIMIT_FACTOR: '1' },
})
const sender = createSender(server.base)
const otherCallers = callers.filter(({ organisationId }) => organisationId !== FLOODING)
const dice = createSeededRandom(42)
try {
  await runTraffic(sender, otherCallers, { ...WARM_UP, dice })
  const before = await use('without the flood')
  const flood = startFlood(callers.filter(({ organisationId }) => organisationId === FLOODING))
  const during = await use('while one organisation floods')
  const refusals = await flood.stop()
  const after = await use('after it')
  console.log(`responses to the flood: ${[...refusals].map(([status, count]) => `${count} × ${status}`).join(', ')}`)
  const calm = computePercentile([...before, ...after], 0.95)
  const ratio = computePercentile(during, 0.95) / calm
  const isMet = ratio <= WANTED_RATIO && during.every(isSuccessful)
  console.log(
    `p95 of the others ${calm.toFixed(0)} ms without, ${computePercentile(during, 0.95).toFixed(0)} ms with the flood: ${ratio.toFixed(2)} times (target ${WANTED_RATIO})`,
  )
  process.exitCode = isMet ? 0 : 1
} finally {
  sender.close()
  await close()
}

async function use(name: string): Promise<Sample[]> {
  const samples = await runTraffic(sender, otherCallers, {
    rate: Number(values.rate),
    seconds: Number(values.seconds),
    dice,
  })
  console.log(`${name}, ${values.rate} deeds/s\n${formatLatencyTable(samples)}`)
  return samples
}

function startFlood(flooders: readonly Caller[]) {
  const floodSender: Sender = createSender(server.base)
  const throws = createSeededRandom(7)
  const answers = new Map<number, number>()
  let isOver = false
  const loops = Array.from({ length: Number(values.connections) }, async (_, i) => {
    const caller = flooders[i % flooders.length]!
    while (!isOver) {
      for (const [, floodRequest] of pickAction(caller, throws)) {
        const status = await floodSender.send(floodRequest, caller.bearer)
        answers.set(status, (answers.get(status) ?? 0) + 1)
      }
    }
  })
  return {
    async stop() {
      isOver = true
      await Promise.all(loops)
      floodSender.close()
      return answers
    },
  }
}
