import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import sql from 'sql-template-tag'
import { createDb } from '#server/platform/engine/create-db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { startPostgresIn } from '../../test/server/postgres-server.ts'
import { describeMachine } from '../server/machine.ts'
import { type ServerProcess, startServerProcess } from '../server/own-server.ts'
import { FAILURE_DETECTION_MS, startRoundRobin } from '../server/round-robin.ts'
import { startSteadyTraffic, stopAndSummarize } from '../server/steady-traffic.ts'

/**
 * Runs the previous and the current version side by side on one PostgreSQL with eight constantly active users: two
 * servers of the previous version; the current one starts, migrates and serves alongside; then the old ones stop one
 * after the other. The previous version is the last commit without the newest migrations, taken from this repository's
 * history. `--migrations`: how many of the newest count as new. Uses the port and the next three. Exits with 1 when a
 * request failed, a response was wrong, an acknowledged action is missing, or nothing was migrated; with 2 when the
 * repository has no history for the previous version.
 *
 *   npx node bench/faults/rolling-upgrade.ts [--migrations 1] [--beside 20] [--drain 3] [--port 4436]
 */
const { values } = parseArgs({
  options: {
    migrations: { type: 'string', default: '1' },
    beside: { type: 'string', default: '20' },
    drain: { type: 'string', default: '3' },
    port: { type: 'string', default: '4436' },
  },
})
const ROOT = path.join(import.meta.dirname, '../..')

function notMeasured(why: string): never {
  console.error(`rolling-upgrade  NOT MEASURED: ${why}`)
  process.exit(2)
}

const commit = versionBefore()
const folder = mkdtempSync(path.join(tmpdir(), 'tamngan-upgrade-'))
chmodSync(folder, 0o755)
const before = path.join(folder, 'before')
mkdirSync(before)
execFileSync('sh', ['-c', `git archive ${commit} | tar -x -C "$1"`, 'sh', before], { cwd: ROOT })
symlinkSync(path.join(ROOT, 'node_modules'), path.join(before, 'node_modules'))
const database = await startPostgresIn(path.join(folder, 'postgres'))
if (database === undefined) notMeasured('there is no PostgreSQL server binary on this machine')
const db = createDb(await openPostgres(database.url))
const migrated = async () =>
  (await db.query<{ number: number }>(sql`select number from schema_migrations order by number`)).map(
    ({ number }) => number,
  )

const start = (n: number, root: string): Promise<ServerProcess> =>
  startServerProcess(
    String(Number(values.port) + n),
    path.join(folder, `data-${n}`),
    {
      DATABASE_URL: database.url,
      DRAIN_SECONDS: values.drain,
      AUTH_SECRET: `a-secret-of-both-versions-${process.pid}`.padEnd(40, '-'),
    },
    600_000,
    { root },
  )
const addresses = [0, 1, 2, 3].map((n) => `http://127.0.0.1:${Number(values.port) + n}`)
const servers: ServerProcess[] = [await start(0, before), await start(1, before)]
const old = await migrated()
const balancer = await startRoundRobin(addresses)
let failed = 1
try {
  await balancer.untilUsed(addresses.slice(0, 2))
  const traffic = await startSteadyTraffic(balancer.base, { seesOwn: true })
  const startedAt = performance.now()
  await sleep(FAILURE_DETECTION_MS)
  servers.push(await start(2, ROOT))
  const added = (await migrated()).filter((number) => !old.includes(number))
  await balancer.untilUsed(addresses.slice(0, 3))
  await sleep(Number(values.beside) * 1_000)
  const together = addresses.map((address) => balancer.sentTo(address))
  await servers[0]!.stop()
  servers.push(await start(3, ROOT))
  await balancer.untilUsed(addresses.slice(1))
  await sleep(FAILURE_DETECTION_MS)
  await servers[1]!.stop()
  await balancer.untilUsed(addresses.slice(2))
  await sleep(FAILURE_DETECTION_MS)
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  console.log(describeMachine())
  console.log(
    `from ${commit.slice(0, 8)}: migrations ${added.join(', ') || 'none'} while both old servers served; ${seconds} s`,
  )
  console.log(
    `requests while both versions were running: ${together[0]! + together[1]!} to the old one, ${together[2]} to the new one`,
  )
  failed = await stopAndSummarize(traffic, balancer)
  if (added.length === 0) {
    console.log('NOT MEASURED: this version has no migrations to apply')
    failed += 1
  }
} finally {
  await balancer.close()
  for (const server of servers) await server.stop()
  await db.close()
  await database.stop('fast')
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}
process.exit(failed === 0 ? 0 : 1)

/** Returns the parent of the commit that added the first of the newest migrations. */
function versionBefore(): string {
  const file = readdirSync(path.join(ROOT, 'server/platform/engine/migrations'))
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .at(-Number(values.migrations))
  if (file === undefined) notMeasured('the repository has fewer migrations than --migrations')
  try {
    const git = (...args: string[]) =>
      execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
    const addingCommit = git(
      'log',
      '--diff-filter=A',
      '-1',
      '--format=%H',
      '--',
      `server/platform/engine/migrations/${file}`,
    )
    const previousCommit = git('rev-parse', '--verify', `${addingCommit}^1`)
    // A shallow clone ends at a commit that seems to have added every file.
    if (git('ls-tree', '--name-only', previousCommit, `server/platform/engine/migrations/${file}`) !== '')
      throw new Error('the previous commit already contains the migration')
    return previousCommit
  } catch {
    return notMeasured(`the Git history does not contain the commit before ${file}`)
  }
}
