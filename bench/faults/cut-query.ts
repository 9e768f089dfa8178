import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import sql from 'sql-template-tag'
import { buildApp } from '#server/http/app.ts'
import { type OpenDb, QueryTimeoutError } from '#server/platform/engine/db.ts'
import { migrateDatabase } from '#server/platform/engine/migrate-database.ts'
import { openDb } from '#server/platform/engine/open-db.ts'
import { withBenchPostgres } from '../server/bench-postgres.ts'
import { describeMachine } from '../server/machine.ts'

/**
 * Checks that an endless query is cancelled at its limit while the server keeps responding (R49): queries over 60
 * million rows with a limit of 3 s, sequentially on each engine, while `/livez` of the real server in this process is
 * polled every 10 ms. Targets: each query is cancelled within half a second of its limit, the next one succeeds within
 * half a second (PGlite: two, because its thread is terminated and its folder reopened), and `/livez` p99 is below 100
 * ms.
 *
 *   npx node bench/faults/cut-query.ts [--times 5]
 */
const { values } = parseArgs({ options: { times: { type: 'string', default: '5' } } })
const LIMIT_MS = 3_000
const WANTED_LIVE_MS = 100
const LATE_MS = 500
const NEXT_MS = { postgres: 500, pglite: 2_000 }
const ENDLESS = [
  sql`select count(*) from generate_series(1, 60000000) a where a % 7 = 3 and md5(a::text) like 'x%'`,
  sql`select count(*) from generate_series(1, 60000) a cross join generate_series(1, 60000) b where a % 7 = b % 5 and a + b < 0`,
]

console.log(describeMachine())
const folder = mkdtempSync(path.join(tmpdir(), 'tamngan-bench-cut-'))
try {
  await measure(await openDb({ dataDir: folder }))
  await withBenchPostgres('tamngan_bench_cut', console.error, async (open) => measure(await open()))
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function measure(db: OpenDb): Promise<void> {
  await migrateDatabase(db)
  const app = await buildApp({
    db,
    settings: { authSecrets: ['a secret of this bench alone, long enough'], logLevel: 'silent' },
  })
  const base = await app.listen({ port: 0, host: '127.0.0.1' })
  let isOver = false
  const cuts: number[] = []
  const nexts: number[] = []
  const lives: number[] = []
  const asking = (async () => {
    while (!isOver) {
      const begun = performance.now()
      const answer = await fetch(`${base}/livez`)
      await answer.text()
      lives.push(answer.ok ? performance.now() - begun : Number.POSITIVE_INFINITY)
      await sleep(10)
    }
  })()
  for (let n = 0; n < Number(values.times); n += 1) {
    for (const endless of ENDLESS) {
      const begun = performance.now()
      const failure = await db.query(endless, { timeoutMs: LIMIT_MS }).then(
        () => undefined,
        (error: unknown) => error,
      )
      if (!(failure instanceof QueryTimeoutError))
        throw new Error('the query ended without hitting its time limit', { cause: failure })
      const cutAt = performance.now()
      cuts.push(cutAt - begun)
      await db.query(sql`select 1`)
      nexts.push(performance.now() - cutAt)
    }
  }
  isOver = true
  await asking
  await app.close()
  await db.close()
  const p99 = lives.toSorted((a, b) => a - b)[Math.ceil(lives.length * 0.99) - 1]!
  console.log(
    `${db.engine}: ${cuts.length} queries cut after ${Math.min(...cuts).toFixed(0)} to ${Math.max(...cuts).toFixed(0)} ms (limit ${LIMIT_MS}), next query answered within ${Math.max(...nexts).toFixed(0)} ms; /livez meanwhile p99 ${p99.toFixed(0)} ms, longest ${Math.max(...lives).toFixed(0)} ms of ${lives.length}`,
  )
  const isMet =
    p99 <= WANTED_LIVE_MS && Math.max(...cuts) <= LIMIT_MS + LATE_MS && Math.max(...nexts) <= NEXT_MS[db.engine]
  if (!isMet) process.exitCode = 1
}
