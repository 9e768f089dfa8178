import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import Fastify from 'fastify'
import { validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { migrate } from '#server/platform/engine/migrate.ts'
import { openDb } from '#server/platform/engine/open-db.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import { answerSerializer } from '#server/platform/route/answer-serializer.ts'
import { projectRoutes } from '#server/report/project/routes.ts'
import { ensureDetailData, someMatches } from './data/detail-data.ts'
import { BENCH_TODAY, type BenchScope } from './data/report-data.ts'
import { onBenchPostgres } from './server/bench-postgres.ts'
import { machineLine } from './server/machine.ts'

/**
 * Server time of a project's page: the real handlers of GET /projects/:id and of what the page loads later, one after the other, from the
 * parsed request to the serialised answer, over projects of an organisation with 20,000 matches.
 *
 *   npx node bench/detail.ts [--engine pglite|postgres|both] [--projects 1000000] [--count 200] [--dir FOLDER] [--each]
 *
 * The data is that of bench/report.ts with more beside it, built once and kept like it; what it kept is used again. "First" is each
 * project's first time, with a database just opened; "again" the second. `--each` prints the slowest.
 */
const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'both' },
    projects: { type: 'string', default: '1000000' },
    count: { type: 'string', default: '200' },
    dir: { type: 'string', default: path.join(tmpdir(), 'tamngan-bench-report') },
    each: { type: 'boolean', default: false },
  },
})
const projects = Number(values.projects)
const say = (text: string) => console.error(text)
const PARTS = { detail: '', 'similar prices': '/similar-prices', linked: '/linked' } as const

console.log(machineLine(`${projects} projects`))
if (values.engine !== 'pglite') await onBenchPostgres('tamngan_bench_report', say, measureAll)
if (values.engine !== 'postgres') await measureAll(() => openDb({ dataDir: path.join(values.dir, String(projects)) }))

async function measureAll(open: () => Promise<OpenDb>): Promise<void> {
  const first = await open()
  await migrate(first)
  const [scope] = await ensureDetailData(first, projects, say)
  await first.close()
  const db = await open()
  await measure(db, scope!)
  await db.close()
}

async function measure(db: OpenDb, scope: BenchScope): Promise<void> {
  const app = Fastify().withTypeProvider<ZodTypeProvider>()
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(answerSerializer)
  const actor: Actor = { ...scope, sessionId: '-', role: 'member_user', isDemo: false, features: ['report'] }
  projectRoutes(app, {
    db,
    actorOf: async () => actor,
    now: () => new Date(`${BENCH_TODAY}T05:00:00Z`),
    mails: { queue: async () => undefined, link: (address) => address },
  })
  await app.ready()
  const [warmUp, ...ids] = await someMatches(db, scope.organisationId, Number(values.count) + 1)
  // The vocabulary is read at the first name, once in the life of a server.
  await app.inject({ url: `/projects/${warmUp}/similar-prices` })
  for (const [part, address] of Object.entries(PARTS)) {
    for (const round of ['first', 'again']) {
      const samples: { id: string; ms: number; bytes: number }[] = []
      for (const id of ids) {
        const started = performance.now()
        const answer = await app.inject({ url: `/projects/${id}${address}` })
        if (answer.statusCode !== 200) throw new Error(`${id}${address}: ${answer.statusCode} ${answer.body}`)
        samples.push({ id, ms: performance.now() - started, bytes: answer.body.length })
      }
      report(`${db.engine}, ${part}, ${round}`, samples)
    }
  }
  await app.close()
}

function report(title: string, samples: readonly { id: string; ms: number }[]): void {
  const sorted = samples.toSorted((a, b) => a.ms - b.ms)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)]!.ms
  console.log(
    `${title.padEnd(34)} p50 / p95 / max ms ${[0.5, 0.95, 1].map((share) => at(share).toFixed(1).padStart(7)).join(' /')}`,
  )
  if (values.each) for (const { id, ms } of sorted.slice(-3)) console.log(`   ${id} ${ms.toFixed(1)}`)
}
