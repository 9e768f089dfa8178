import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { Db, OpenDb } from '#server/platform/engine/db.ts'
import { migrateDatabase } from '#server/platform/engine/migrate-database.ts'
import { openDb } from '#server/platform/engine/open-db.ts'
import { computeContentSums } from '../data/content-sums.ts'
import { createWordCutter, readRealTitles } from '../data/real-titles.ts'
import { addRealProjects, addWatchingOrganisation } from '../data/rematch-data.ts'
import { withBenchPostgres } from '../server/bench-postgres.ts'
import { describeMachine, getCpuSeconds } from '../server/machine.ts'

/**
 * Measures matching a large load against many organisations, with real titles and words cut from them. These words are
 * more frequent than in real lists: 220 organisations match each project. The projects are matched once as new and once
 * as changed. Target: 20,000 × 1,000 × 200 within 45 s. PostgreSQL is the server of DATABASE_URL or a throwaway local
 * one; the database is recreated. `--sums` prints a checksum of the matching tables, to compare two versions.
 *
 *   npx node bench/scale/matching.ts [--engine pglite|postgres|both] [--projects 20000] [--organisations 1000] [--words 200] [--sums]
 */
const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'postgres' },
    projects: { type: 'string', default: '20000' },
    organisations: { type: 'string', default: '1000' },
    words: { type: 'string', default: '200' },
    sums: { type: 'boolean', default: false },
  },
})
const [projects, organisations, words] = [values.projects, values.organisations, values.words].map(Number) as [
  number,
  number,
  number,
]
const WANTED_S = 45
const DATABASE = 'tamngan_bench_matching'
const titles = readRealTitles()
const cutWords = createWordCutter(titles)

console.log(describeMachine(`${projects} projects × ${organisations} organisations × ${words} words`))
if (values.engine !== 'pglite')
  await withBenchPostgres(DATABASE, console.error, async (open) => {
    const db = await open()
    await db.script('drop schema public cascade; create schema public')
    await measure(db)
  })
if (values.engine !== 'postgres')
  await measure(await openDb({ dataDir: path.join(tmpdir(), `tamngan-bench-matching-${process.pid}`) }))

async function measure(db: OpenDb): Promise<void> {
  try {
    await migrateDatabase(db)
    await addRealProjects(db, titles, projects, console.error)
    await addOrganisations(db)
    await timed(db, 'new', 1)
    await db.script(`
      insert into loads (id, source, origin, state, published_at) overriding system value values (2, 'bench', 'bench', 'published', now());
      update projects set written_load = 2, changed_load = 2`)
    await timed(db, 'changed', 2)
    if (values.sums)
      for (const [table, sum] of await computeContentSums(db)) if (table.includes('match')) console.log(table, sum)
  } finally {
    await db.close()
  }
}

async function addOrganisations(db: Db): Promise<void> {
  for (let index = 0; index < organisations; index += 1)
    // `cutWords` is seeded by the requested count, which differs per organisation, so each organisation gets different
    // words.
    await addWatchingOrganisation(db, cutWords(words + index).slice(0, words), `bench ${index}`)
  await db.script('analyze keywords, organisations, projects')
}

async function timed(db: Db, what: string, loadId: number): Promise<void> {
  const [started, computed] = [performance.now(), getCpuSeconds(process.pid)]
  const { matched } = await db.transaction((tx) => matchDataLoadProjects(tx, loadId), { idleTimeoutMs: 0 })
  const took = (performance.now() - started) / 1000
  console.log(
    `${db.engine.padEnd(9)} ${what.padEnd(8)} ${matched} matches in ${took.toFixed(1)} s (target ${WANTED_S}), ${(matched / took).toFixed(0)} a second; CPU time of this process ${(getCpuSeconds(process.pid) - computed).toFixed(1)} s`,
  )
  if (took > WANTED_S) process.exitCode = 1
}
