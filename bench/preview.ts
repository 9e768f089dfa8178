import { monitorEventLoopDelay } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import Fastify from 'fastify'
import { validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Preview } from '#contract/matching/keyword-impact.ts'
import { impactRoutes } from '#server/matching/keyword-impact/routes-impact.ts'
import { createExpander } from '#server/matching/meaning/expander.ts'
import { termModel } from '#server/matching/meaning/term-model.ts'
import { createRecentProjects } from '#server/matching/recent-projects.ts'
import { createDb } from '#server/platform/engine/create-db.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { migrate } from '#server/platform/engine/migrate.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { answerSerializer } from '#server/platform/route/answer-serializer.ts'
import { startPostgresServer } from '../test/server/postgres-server.ts'
import { ensurePreviewData, PREVIEW_TODAY, wordsByFrequency } from './data/preview-data.ts'
import { machineLine } from './server/machine.ts'

/**
 * Server time of `POST /organisations/me/keywords/preview` on PostgreSQL: the real handler, one question after the other, from the parsed request to the
 * serialised answer, for an organisation with 325 words, over real titles.
 *
 *   npx node bench/preview.ts [--projects 1000000] [--each]
 *
 * The data is built once and kept in the database `tamngan_bench_preview` of the server of DATABASE_URL (without it: a throwaway local server, built anew
 * each time). "CPU" is that of this process, which other work on the machine does not touch; "held" is the longest time that the event loop was not free.
 */
const { values } = parseArgs({
  options: { projects: { type: 'string', default: '1000000' }, each: { type: 'boolean', default: false } },
})
const projects = Number(values.projects)

/** Words that a person tries: in hundreds of thousands of a million titles, in thousands, in a few. */
const QUESTIONS: readonly (readonly [kind: string, add: object])[] = [
  ...['ยา', 'ถนน', 'น้ำ', 'รถ', 'ไฟ', 'บ้าน', 'ก่อสร้าง', 'ปรับปรุง'].map((word) => ['common', { include: [word] }] as const),
  ...wordsByFrequency(20_000, 1_000_000, 22).map((word) => ['common', { include: [word] }] as const),
  ...wordsByFrequency(1_000, 20_000, 30).map((word) => ['usual', { include: [word] }] as const),
  ...wordsByFrequency(1, 300, 20).map((word) => ['rare', { include: [word] }] as const),
  ...wordsByFrequency(1_000, 50_000, 10).map((word) => ['exclusion', { exclude: [word] }] as const),
  ...['ลิฟต์โดยสาร', 'รถขุด', 'เครื่องสูบน้ำ', 'ระบบเครือข่าย', 'ครุภัณฑ์การแพทย์'].map(
    (word) => ['AI word', { ai_include: [{ word }] }] as const,
  ),
  ...Array.from(
    { length: 5 },
    (_, at) => ['20 pasted', { include: wordsByFrequency(500 + at * 300, 30_000, 20) }] as const,
  ),
]

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
const heap = () => {
  collect()
  return process.memoryUsage().heapUsed / 2 ** 20
}

console.log(machineLine(`${projects} projects`, `${QUESTIONS.length} previews`))
const ownServer = process.env.DATABASE_URL === undefined ? await startPostgresServer() : undefined
const server = process.env.DATABASE_URL ?? ownServer?.url
if (server === undefined) throw new Error('neither DATABASE_URL nor a local server binary')
const url = new URL(server)
url.pathname = '/tamngan_bench_preview'
const admin = createDb(await openPostgres(server))
await admin.script('create database tamngan_bench_preview').catch(() => console.error('using the kept database'))
await admin.close()
const db = createDb(await openPostgres(url.href))
await migrate(db)
await measure(db, await ensurePreviewData(db, projects, (text) => console.error(text)))
await db.close()
await ownServer?.stop()

type Sample = { readonly kind: string; readonly ms: number; readonly cpu: number }

async function measure(on: OpenDb, organisationId: number): Promise<void> {
  const app = Fastify().withTypeProvider<ZodTypeProvider>()
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(answerSerializer)
  impactRoutes(app, {
    db: on,
    actorOf: async () => ({
      userId: 1,
      organisationId,
      sessionId: '-',
      role: 'member_user',
      isDemo: false,
      features: ['report'],
    }),
    now: () => new Date(`${PREVIEW_TODAY}T05:00:00Z`),
    // Nothing here mails, and the words are right.
    mails: { queue: async () => undefined, link: (path) => path },
    expand: createExpander(undefined),
    recentProjects: createRecentProjects(on, () => new Date(`${PREVIEW_TODAY}T05:00:00Z`)),
  })
  await app.ready()
  const ask = async (kind: string, add: object): Promise<Sample & { answer: Preview }> => {
    const [started, used] = [performance.now(), process.cpuUsage()]
    const answer = await app.inject({ method: 'POST', url: '/organisations/me/keywords/preview', payload: { add } })
    const ms = performance.now() - started
    if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${answer.body}`)
    const { user, system } = process.cpuUsage(used)
    return { kind, ms, cpu: (user + system) / 1000, answer: answer.json() as Preview }
  }
  // The vocabulary is there already in a server that has AI words: not part of the memory of this.
  termModel()
  const before = heap()
  const cold = await ask('cold', { include: ['กล้องวงจรปิด'] })
  console.log(
    `cold, first question after the start  ${cold.ms.toFixed(0)} ms (CPU ${cold.cpu.toFixed(0)}), ${cold.answer.looked_at} projects of ${cold.answer.days} days, ${cold.answer.before} in the report; kept ${(heap() - before).toFixed(0)} MiB`,
  )
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const samples: Sample[] = []
  for (const [kind, add] of QUESTIONS) {
    const sample = await ask(kind, add)
    samples.push(sample)
    if (values.each)
      console.log(
        `${sample.ms.toFixed(0).padStart(6)} ms ${sample.cpu.toFixed(0).padStart(6)} CPU  +${sample.answer.added} -${sample.answer.removed}  ${JSON.stringify(add).slice(0, 90)}`,
      )
  }
  delay.disable()
  for (const kind of new Set(samples.map((sample) => sample.kind)))
    report(
      kind,
      samples.filter((sample) => sample.kind === kind),
    )
  report('all', samples)
  console.log(
    `event loop held ${(delay.max / 1e6).toFixed(0)} ms at most, p99 ${(delay.percentile(99) / 1e6).toFixed(0)} ms`,
  )
  await app.close()
}

function report(title: string, samples: readonly Sample[]): void {
  const line = (of: (sample: Sample) => number) =>
    [0.5, 0.95, 1].map((p) => percentile(samples.map(of), p).toFixed(0).padStart(5)).join(' /')
  console.log(
    `${title.padEnd(12)} ${String(samples.length).padStart(4)} previews  p50 / p95 / longest   ms ${line((s) => s.ms)}   CPU ${line((s) => s.cpu)}`,
  )
}

function percentile(samples: readonly number[], p: number): number {
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(p * sorted.length) - 1)]!
}
