import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import Fastify from 'fastify'
import { validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { migrateDatabase } from '#server/platform/engine/migrate-database.ts'
import { openDb } from '#server/platform/engine/open-db.ts'
import { runAsTenant, runWithoutTenant } from '#server/platform/engine/tenant.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import { responseSerializer } from '#server/platform/route/response-serializer.ts'
import { createReportEngine, openReportMemory } from '#server/report/report-engine.ts'
import { reportRoutes } from '#server/report/routes.ts'
import { BENCH_TODAY, type BenchScope, ensureBenchData } from './data/report-data.ts'
import { BENCH_SEARCHES } from './data/report-searches.ts'
import { withBenchPostgres } from './server/bench-postgres.ts'
import { describeMachine } from './server/machine.ts'

/**
 * Measures /report over HTTP: the real handlers of GET /projects (page, exact total, counters) and GET
 * /projects/facets, sequentially, from the request to the end of the response, over a fixed query mix. "Cold" is the
 * first run of a search on a newly opened database; the server caches no results except those of search by meaning. The
 * data is built once and reused: PGlite in `--dir`, PostgreSQL in the database `tamngan_bench_report` of the server of
 * DATABASE_URL (without it: a throwaway local server, rebuilt each time). "Best" takes each search's fastest round,
 * which filters out other load on the machine. `--as owner` bypasses the row-level security that requests have
 * (decision 0025); `both` alternates between the two and prints the difference. `--each` prints every search,
 * `--matches` sets the match counts of the organisations, `--memory 600` answers from in-memory columns with that many
 * megabytes.
 *
 *   npx node bench/report.ts [--engine pglite|postgres|both] [--projects 1000000] [--rounds 5] [--matches 20000,200000] [--memory 0] [--dir FOLDER] [--each] [--as tenant|owner|both]
 */
const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'both' },
    projects: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '5' },
    matches: { type: 'string', default: '20000,200000' },
    memory: { type: 'string', default: '0' },
    dir: { type: 'string', default: path.join(tmpdir(), 'tamngan-bench-report') },
    each: { type: 'boolean', default: false },
    as: { type: 'string', default: 'tenant' },
  },
})
const projects = Number(values.projects)
const say = (text: string) => console.error(text)

console.log(describeMachine(`${projects} projects`, `${BENCH_SEARCHES.length} searches`, `as ${values.as}`))
if (values.engine !== 'pglite') await withBenchPostgres('tamngan_bench_report', say, measureAll)
if (values.engine !== 'postgres') {
  const open = () => openDb({ dataDir: path.join(values.dir, String(projects)) })
  await measureAll(open)
}

async function measureAll(open: () => Promise<OpenDb>): Promise<void> {
  const first = await open()
  await migrateDatabase(first)
  const scopes = await ensureBenchData(first, projects, say, values.matches.split(',').map(Number))
  await first.close()
  for (const scope of scopes) {
    // The database is opened anew, so that nothing is cached and the first round of each organisation is cold.
    const db = await open()
    await measure(db, scope)
    await db.close()
  }
}

type Who = 'owner' | 'tenant'
type Sample = { readonly page: number; readonly facets: number; readonly isFromMemory: boolean }

async function measure(db: OpenDb, scope: BenchScope): Promise<void> {
  const app = Fastify().withTypeProvider<ZodTypeProvider>()
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(responseSerializer)
  const actor: Actor = {
    ...scope,
    sessionId: '-',
    role: 'member_user',
    isDemo: false,
    features: ['report'],
  }
  const memory = await loadMemory(db, scope)
  reportRoutes(app, {
    db,
    reports: createReportEngine(db, memory),
    actorOf: async () => actor,
    now: () => new Date(`${BENCH_TODAY}T05:00:00Z`),
    mails: { queue: async () => undefined, link: (path) => path },
  })
  app.addHook('onRequest', (request, _reply, done) =>
    request.headers['x-who'] === 'owner' ? runWithoutTenant(done) : runAsTenant(scope, done),
  )
  const address = await app.listen({ port: 0 })
  const timed = async (url: string, role: Who): Promise<number> => {
    const started = performance.now()
    const answer = await fetch(address + url, { headers: { 'x-who': role } })
    const body = await answer.text()
    if (answer.status !== 200) throw new Error(`${url}: ${answer.status} ${body}`)
    return performance.now() - started
  }
  const runSearch = async (search: Record<string, string>, role: Who): Promise<Sample> => {
    const query = new URLSearchParams(search).toString()
    const before = memory?.stats().answered.memory ?? 0
    const times = {
      page: await timed(`/projects?${query}`, role),
      facets: await timed(`/projects/facets?${query}`, role),
    }
    return { ...times, isFromMemory: (memory?.stats().answered.memory ?? 0) === before + 2 }
  }
  const mainRole: Who = values.as === 'owner' ? 'owner' : 'tenant'
  const cold: Sample[] = []
  for (const search of BENCH_SEARCHES) cold.push(await runSearch(search, mainRole))
  const warm: Sample[][] = BENCH_SEARCHES.map(() => [])
  const asOwnerToo: Sample[][] = BENCH_SEARCHES.map(() => [])
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const [i, search] of BENCH_SEARCHES.entries()) {
      // Alternate the order, since the second run profits from pages that the first one cached.
      if (values.as === 'both' && round % 2 === 0) asOwnerToo[i]!.push(await runSearch(search, 'owner'))
      warm[i]!.push(await runSearch(search, mainRole))
      if (values.as === 'both' && round % 2 === 1) asOwnerToo[i]!.push(await runSearch(search, 'owner'))
    }
  }
  report(`${db.engine}, ${scope.matches} matches, cold`, cold)
  report(`${db.engine}, ${scope.matches} matches, warm`, warm.flat())
  if (memory) {
    const ofMemory = warm.flat().filter(({ isFromMemory }) => isFromMemory)
    report(`${db.engine}, ${scope.matches} matches, warm, memory`, ofMemory)
  }
  const best = warm.map(quickest)
  report(`${db.engine}, ${scope.matches} matches, best`, best)
  if (values.as === 'both') {
    const ofOwner = asOwnerToo.map(quickest)
    report(`${db.engine}, ${scope.matches} matches, best, as owner`, ofOwner)
    const sum = (samples: readonly Sample[]) => samples.reduce((ms, { page, facets }) => ms + page + facets, 0)
    const ratio = (sum(best) / sum(ofOwner) - 1) * 100
    console.log(
      `row-level security: ${sum(ofOwner).toFixed(0)} ms as owner, ${sum(best).toFixed(0)} ms as tenant for all searches: ${ratio.toFixed(1)} %`,
    )
  }
  if (values.each) {
    for (const [i, search] of BENCH_SEARCHES.entries()) {
      const { page, facets } = best[i]!
      console.log(`${page.toFixed(1).padStart(8)} ${facets.toFixed(1).padStart(8)}  ${JSON.stringify(search)}`)
    }
  }
  if (memory) console.log('answered', JSON.stringify(memory.stats().answered))
  await memory?.close()
  await app.close()
}

async function loadMemory(
  db: OpenDb,
  { organisationId }: BenchScope,
): Promise<ReturnType<typeof openReportMemory> | undefined> {
  if (values.memory === '0') return undefined
  const memory = openReportMemory(db, { megabytes: Number(values.memory) })
  const started = performance.now()
  await memory.load()
  const columns = performance.now()
  await memory.load([organisationId])
  const { bytes } = memory.stats()
  console.log(
    `memory: columns ${((columns - started) / 1000).toFixed(1)} s, matches ${(performance.now() - columns).toFixed(0)} ms, ${(bytes / 2 ** 20).toFixed(0)} MB, ${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MB of the process`,
  )
  return memory
}

function report(title: string, samples: readonly Sample[]): void {
  const line = (of: (sample: Sample) => number) =>
    [0.5, 0.95].map((p) => percentile(samples.map(of), p).toFixed(1).padStart(7)).join(' /')
  console.log(
    `${title.padEnd(38)}  p50 / p95 ms   page+total ${line((s) => s.page)}   facets ${line((s) => s.facets)}   both ${line((s) => s.page + s.facets)}`,
  )
}

function quickest(rounds: readonly Sample[]): Sample {
  return {
    page: Math.min(...rounds.map(({ page }) => page)),
    facets: Math.min(...rounds.map(({ facets }) => facets)),
    isFromMemory: rounds.every(({ isFromMemory }) => isFromMemory),
  }
}

function percentile(samples: readonly number[], p: number): number {
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(p * sorted.length) - 1)]!
}
