import { loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import sql from 'sql-template-tag'
import { projectMatchJob } from '#server/jobs/match-job.ts'
import { enqueueProjectMatchJob, type RematchScope } from '#server/matching/match-requests.ts'
import { rematchOrganisation } from '#server/matching/rematch-organisation.ts'
import type { Db, OpenDb } from '#server/platform/engine/db.ts'
import { migrateDatabase } from '#server/platform/engine/migrate-database.ts'
import { openDb } from '#server/platform/engine/open-db.ts'
import { startQueueWorker } from '#server/platform/queue/job-worker.ts'
import { createWordCutter, readRealTitles } from './data/real-titles.ts'
import {
  addRealProjects,
  addTerms,
  addWatchingOrganisation,
  addWord,
  pickRareWords,
  removeWord,
} from './data/rematch-data.ts'
import { withBenchPostgres } from './server/bench-postgres.ts'
import { describeMachine } from './server/machine.ts'

/**
 * Measures how long a changed word takes to reach the report: an organisation watches 500 words, one is added and
 * removed again, and the real worker picks up the request as in the server. Projects have real titles. `first`: from
 * sending the change until its newest projects appear in the report (or disappear), `all`: until the request is done.
 * `node`: CPU seconds of this process: the worker, and on PGlite the database too. The data is built once and reused:
 * PGlite in `--dir`, PostgreSQL in the database `tamngan_bench_rematch` of the server of DATABASE_URL (without it: a
 * throwaway local server, rebuilt each time).
 *
 *   npx node bench/rematch.ts [--engine pglite|postgres|both] [--projects 1000000] [--dir FOLDER]
 */
const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'both' },
    projects: { type: 'string', default: '1000000' },
    dir: { type: 'string', default: path.join(tmpdir(), 'tamngan-bench-rematch') },
  },
})
const projects = Number(values.projects)
const say = (text: string) => console.error(text)
const titles = readRealTitles()
const cutWords = createWordCutter(titles)
/** Words from rare to common: they match 640, 1,000, 5,400 and 192,000 of a million projects. */
const WORDS = ['เครื่องเอกซเรย์', 'กล้องวงจรปิด', 'กล้อง', 'น้ำ']

console.log(describeMachine(`${projects} projects`, '500 words'))
if (values.engine !== 'pglite')
  await withBenchPostgres('tamngan_bench_rematch', say, async (open) => measure(await open()))
if (values.engine !== 'postgres') await measure(await openDb({ dataDir: path.join(values.dir, String(projects)) }))

async function measure(db: OpenDb): Promise<void> {
  await migrateDatabase(db)
  const organisation = await prepared(db)
  const log = { info: () => undefined, warn: console.error, error: console.error }
  const schedule = startQueueWorker({ db, kinds: [projectMatchJob], parts: undefined, log, now: () => new Date() })
  try {
    for (const word of WORDS) {
      const scope = { expressions: [word] }
      await timed(db, organisation, `+ ${word}`, scope, (tx) => addWord(tx, organisation, word))
      await timed(db, organisation, `- ${word}`, scope, (tx) => removeWord(tx, organisation, word))
    }
    const terms = pickRareWords(cutWords(3_000), titles, { maxHits: 60, count: 40 })
    const scope = { terms }
    await timed(db, organisation, '+ AI word of 40 terms', scope, (tx) => addTerms(tx, organisation, 'คำสี่สิบคำ', terms))
    await timed(db, organisation, '- AI word of 40 terms', scope, (tx) => removeWord(tx, organisation, 'คำสี่สิบคำ'))
    const watched = new Set(watchedWords())
    const many = cutWords(220)
      .filter((word) => !watched.has(word))
      .slice(0, 200)
    await timed(db, organisation, '+ 200 words at once', { expressions: many }, async (tx) => {
      for (const word of many) await addWord(tx, organisation, word)
    })
    await timed(db, organisation, '- 200 words at once', { expressions: many }, async (tx) => {
      for (const word of many) await removeWord(tx, organisation, word)
    })
  } finally {
    await schedule.stop()
    await db.close()
  }
}

/** Words the organisation always watches; together they match 16,000 of a million projects. */
function watchedWords(): string[] {
  return pickRareWords(cutWords(5_000), titles, { maxHits: 4, count: 500 })
}

async function prepared(db: Db): Promise<number> {
  const [existing] = await db.query<{ id: number }>(sql`select id from organisations where code = 'bench'`)
  if (existing) return existing.id
  await addRealProjects(db, titles, projects, say)
  const organisation = await addWatchingOrganisation(db, watchedWords())
  const started = performance.now()
  const { matched } = await rematchOrganisation(db, organisation)
  console.log(`${db.engine.padEnd(9)} full rematch, ${matched} matches: ${seconds(performance.now() - started)}`)
  return organisation
}

async function timed(
  db: Db,
  organisation: number,
  what: string,
  scope: RematchScope,
  change: (tx: Db) => Promise<void>,
): Promise<void> {
  const before = await matchesOf(db, organisation)
  const cpu = process.cpuUsage()
  const started = performance.now()
  await db.transaction(async (tx) => {
    await change(tx)
    await enqueueProjectMatchJob(tx, organisation, scope, new Date())
  })
  let first = 0
  for (;;) {
    const { isDone, matches } = await stateOf(db, organisation)
    if (first === 0 && matches !== before) first = performance.now() - started
    if (isDone) break
    await sleep(50)
  }
  const all = performance.now() - started
  const { user, system } = process.cpuUsage(cpu)
  const after = await matchesOf(db, organisation)
  console.log(
    `${db.engine.padEnd(9)} ${what.padEnd(24)} ${String(before).padStart(7)} → ${String(after).padStart(7)}  first ${seconds(first)}  all ${seconds(all)}  node ${seconds((user + system) / 1000)}  load ${loadavg()[0]?.toFixed(1)}`,
  )
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`.padStart(8)
}

async function matchesOf(db: Db, organisation: number): Promise<number> {
  const [row] = await db.query<{ n: number }>(
    sql`select count(*) as n from project_matches where organisation_id = ${organisation}::int`,
    { timeoutMs: 0 },
  )
  return row!.n
}

async function stateOf(db: Db, organisation: number): Promise<{ isDone: boolean; matches: number }> {
  const [row] = await db.query<{ waits: boolean }>(
    sql`select exists (select from jobs where kind = 'match' and state <> 'done') as waits`,
    { timeoutMs: 0 },
  )
  return { isDone: !row!.waits, matches: await matchesOf(db, organisation) }
}
