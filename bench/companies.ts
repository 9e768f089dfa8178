import path from 'node:path'
import { parseArgs } from 'node:util'
import Fastify, { type FastifyInstance } from 'fastify'
import { validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import sql from 'sql-template-tag'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { publishDataLoad } from '#server/catalogue/feed/load.ts'
import { openFeedFile } from '#server/catalogue/feed/open-feed-file.ts'
import { stageDataLoad } from '#server/catalogue/feed/stage-load.ts'
import { CompanyFactCache } from '#server/market/company/memory/company-fact-cache.ts'
import { companyRoutes } from '#server/market/company/routes.ts'
import { companyListRoutes } from '#server/market/company/routes-list.ts'
import { updateCompanyFacts } from '#server/market/company/update-company-facts.ts'
import { companyComparisonRoutes } from '#server/market/company-comparison/routes.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { Db, OpenDb } from '#server/platform/engine/db.ts'
import { migrateDatabase } from '#server/platform/engine/migrate-database.ts'
import { vacuumAfterDataLoad } from '#server/platform/engine/vacuum-after-data-load.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import { responseSerializer } from '#server/platform/route/response-serializer.ts'
import { withBenchPostgres } from './server/bench-postgres.ts'
import { describeMachine } from './server/machine.ts'

/**
 * Measures companies over a whole fiscal year on PostgreSQL: what maintaining them adds to a load, and server time of
 * the list, a company page and a comparison of five, from the parsed request to the serialised response, sequentially.
 * FILE holds CGD contracts: `xz -dk` of egp-2568-all-1388312.csv.xz. It is loaded once into the database
 * tamngan_bench_companies of DATABASE_URL and reused. Lists and comparisons run alternately from memory (`--memory` MB,
 * 0 disables it) and by SQL, and must match. `--each` prints every query. There is no warm-up: the first round counts
 * too.
 *
 *   npx node bench/companies.ts FILE.csv [--rounds 3] [--each]
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '3' },
    each: { type: 'boolean', default: false },
    memory: { type: 'string', default: '150' },
    database: { type: 'string', default: 'tamngan_bench_companies' },
  },
})
const TODAY = '2026-11-21'
const SCOPES = [
  '',
  'year_from=2568&year_to=2568',
  'project_method__in=e_bidding',
  'project_method_type__in=construct',
  'project_province__in=เชียงใหม่',
  'project_province__in=กรุงเทพมหานคร',
  'project_dept_sub__in=กรมทางหลวง',
  'project_dept_sub__in=กรุงเทพมหานคร',
  'scope=watch',
  'scope=watch&project_method__in=e_bidding&year_from=2568',
  'project_method__in=e_bidding&project_method_type__in=construct&project_province__in=ขอนแก่น',
]
const ORDERINGS = [
  '-wins',
  '-bids',
  '-win_rate',
  '-weighted_discount',
  'median_discount',
  '-departments',
  '-last_win',
  'name',
]
const NAMES = ['ก่อสร้าง', 'หจก. ศรี', 'คอมพิวเตอร์', 'ไม่มีบริษัทชื่อนี้', '0105']
const TARGETS = { list: 60, 'list by SQL': 60, detail: 150, comparison: 80, 'comparison by SQL': 80 } as const
const say = (text: string) => console.error(text)
const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`

console.log(describeMachine())
await withBenchPostgres(values.database, say, async (open) => {
  const db = await open()
  try {
    await migrateDatabase(db)
    await ensureData(db)
    await measure(db)
  } finally {
    await db.close()
  }
})

async function ensureData(db: OpenDb): Promise<void> {
  const [loaded] = await db.query(sql`select 1 from loads where state = 'published'`)
  if (!loaded) await load(db)
  const started = performance.now()
  const done = await updateCompanyFacts(db, { onProject: (count) => count % 100_000 === 0 && say(`  kept ${count}`) })
  if (done > 0) console.log(`companies of ${done} projects stored in ${seconds(started)}`)
  if (done > 0) await vacuumAfterDataLoad(db)
}

async function load(db: OpenDb): Promise<void> {
  const [file] = positionals
  if (file === undefined) throw new Error('the database is empty: pass a file of CGD contracts as an argument')
  const started = performance.now()
  await seedSampleOrganisations(db, TODAY)
  const { source, fingerprint } = await openFeedFile(file)
  const staged = await stageDataLoad(db, source, { origin: path.basename(file), fingerprint })
  await db.transaction(
    async (tx) => {
      await publishDataLoad(tx, staged.loadId, { today: TODAY })
      await matchDataLoadProjects(tx, staged.loadId)
    },
    { idleTimeoutMs: 0 },
  )
  console.log(`${staged.read} contracts staged, published and matched in ${seconds(started)}`)
}

async function loadCompanyMemory(memory: CompanyFactCache): Promise<void> {
  const before = process.memoryUsage()
  const started = performance.now()
  await memory.load()
  const grown = process.memoryUsage().arrayBuffers - before.arrayBuffers
  console.log(
    `columns ${memory.isLoaded ? 'loaded' : 'NOT loaded'} after ${seconds(started)}, ${(grown / 2 ** 20).toFixed(0)} MB in arrays`,
  )
}

type Question = { readonly part: keyof typeof TARGETS; readonly url: string }
/** A measured query. `cpu`: CPU time of this process only, in ms. */
type Sample = Question & { readonly ms: number; readonly cpu: number }

/** Returns searches limited to the actor's keyword groups: the group with the most keywords, and all groups. */
async function groupScopes(db: Db, { organisationId }: Actor): Promise<string[]> {
  const groups = await db.query<{ id: number }>(sql`
    select g.id from keyword_groups g join keywords k on k.group_id = g.id
    where g.organisation_id = ${organisationId}::int group by g.id order by count(*) desc, g.id`)
  const [largest] = groups
  if (!largest) throw new Error('the organisation has no keyword groups')
  const all = `keyword_group__in=${groups.map(({ id }) => id).join('||')}`
  return [`keyword_group__in=${largest.id}`, all, `${all}&project_method__in=e_bidding&year_from=2568`]
}

async function measure(db: OpenDb): Promise<void> {
  const actor = await someActor(db)
  const megabytes = Number(values.memory)
  const memory = megabytes > 0 ? new CompanyFactCache(db, { megabytes }) : undefined
  if (memory) await loadCompanyMemory(memory)
  const [app, bySql] = [await appOf(db, actor, memory), await appOf(db, actor, undefined)]
  const questions = await allQuestions(db, await groupScopes(db, actor))
  const samples: Sample[] = []
  const request = async (of: FastifyInstance, { part, url }: Question) => {
    const [started, cpu] = [performance.now(), process.cpuUsage()]
    const answer = await of.inject({ url })
    const { user, system } = process.cpuUsage(cpu)
    samples.push({ part, url, ms: performance.now() - started, cpu: (user + system) / 1000 })
    if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode} ${answer.body}`)
    return answer.body
  }
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const question of questions) {
      const answer = await request(app, question)
      if ((question.part !== 'list' && question.part !== 'comparison') || !memory) continue
      const plain = await request(bySql, { ...question, part: `${question.part} by SQL` })
      if (plain !== answer)
        console.log(`NOT THE SAME: ${question.url}\n  ${answer.slice(0, 2_000)}\n  ${plain.slice(0, 2_000)}`)
    }
  }
  await Promise.all([app.close(), bySql.close()])
  if (memory) console.log(`answered from memory: ${memory.answered.memory}, by SQL: ${memory.answered.sql}`)
  for (const [part, of] of Map.groupBy(samples, (sample) => sample.part)) report(part, of)
}

async function appOf(db: OpenDb, actor: Actor, memory: CompanyFactCache | undefined): Promise<FastifyInstance> {
  const app = Fastify().withTypeProvider<ZodTypeProvider>()
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(responseSerializer)
  const context = {
    db,
    actorOf: async () => actor,
    now: () => new Date(`${TODAY}T05:00:00Z`),
    mails: { queue: async () => undefined, link: (address: string) => address },
  }
  companyListRoutes(app, { ...context, memory })
  companyRoutes(app, context)
  companyComparisonRoutes(app, { ...context, memory })
  await app.ready()
  return app as unknown as FastifyInstance
}

/** Returns the user of the demo organisation with the most matches. */
async function someActor(db: Db): Promise<Actor> {
  const [user] = await db.query<{ organisation_id: number; id: number; matches: number }>(sql`
    select u.organisation_id, u.id, m.matches from users u
    join (select organisation_id, count(*)::int as matches from project_matches group by 1) m on m.organisation_id = u.organisation_id
    order by m.matches desc, u.id limit 1`)
  if (!user) throw new Error('no organisation has any matches')
  say(`organisation with ${user.matches} matches`)
  return {
    organisationId: user.organisation_id,
    userId: user.id,
    sessionId: '-',
    role: 'member_user',
    isDemo: false,
    features: ['report', 'company_compare', 'company_comparison'],
  }
}

async function allQuestions(db: Db, groups: readonly string[]): Promise<Question[]> {
  const scopes = [...SCOPES, ...groups]
  const toQuestion = (part: Question['part'], path: string, query: string): Question => ({
    part,
    url: `${path}${query === '' ? '' : `?${new URLSearchParams(query)}`}`,
  })
  const lists = [
    ...scopes,
    ...ORDERINGS.map((ordering) => `ordering=${ordering}`),
    ...NAMES.map((name) => `project_winner_name__in=${name}`),
    ...NAMES.map((name) => `project_winner_name__in=${name}&scope=watch`),
    'company_value__range=1000000,5000000',
    'company_value__range=100000000,',
    'page=5',
    'page=5&scope=watch&ordering=-wins',
    'ordering=-wins&project_province__in=เชียงใหม่&project_method__in=specific&page=5',
    'ordering=median_discount&project_dept_sub__in=กรมทางหลวง',
    'check_sme=true',
    'met=true',
  ]
  const companies = await db.query<{ name: string; tax_id: string | null }>(sql`
    (select c.name, c.tax_id from company_figures f join companies c on c.id = f.company_id where f.fiscal_year = 0
      order by f.value_satang desc nulls last limit 5)
    union all (select c.name, c.tax_id from company_figures f join companies c on c.id = f.company_id where f.fiscal_year = 0
      order by f.wins desc limit 5)
    union all (select c.name, c.tax_id from company_figures f join companies c on c.id = f.company_id where f.fiscal_year = 0 and f.wins = 40 limit 3)
    union all (select c.name, c.tax_id from company_figures f join companies c on c.id = f.company_id where f.fiscal_year = 0 and f.wins = 2 limit 3)`)
  const details = companies.flatMap(({ name, tax_id }, index) =>
    ['', scopes[1 + (index % (scopes.length - 1))]!].map((scope) =>
      toQuestion(
        'detail',
        `/companies/${encodeURIComponent(name)}`,
        [tax_id && `tin=${tax_id}`, scope].filter(Boolean).join('&'),
      ),
    ),
  )
  const companyKeys = companies.map(({ name, tax_id }) => tax_id ?? name)
  const fives = [companyKeys.slice(0, 5), companyKeys.slice(5, 10), companyKeys.slice(8, 13)]
  const comparisons = fives.flatMap((five) =>
    ['', 'common=true', 'scope=watch', 'project_method__in=e_bidding', groups[0]!].map((scope) =>
      toQuestion('comparison', '/company-comparison', `project_winner_name__in=${five.join('||')}&${scope}`),
    ),
  )
  return [...lists.map((query) => toQuestion('list', '/companies', query)), ...details, ...comparisons]
}

function report(part: keyof typeof TARGETS, samples: readonly Sample[]): void {
  const sorted = samples.toSorted((a, b) => a.ms - b.ms)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)]!.ms
  console.log(
    `${part.padEnd(12)} ${sorted.length} requests, p50 / p95 / max ms ${[0.5, 0.95, 1].map((share) => at(share).toFixed(1).padStart(7)).join(' /')}, target ${TARGETS[part]}`,
  )
  const cpu = samples.map((sample) => sample.cpu).sort((a, b) => a - b)
  console.log(
    `${' '.repeat(13)}CPU time of this process p50 / p95 ms ${[0.5, 0.95].map((share) => cpu[Math.ceil(share * cpu.length) - 1]!.toFixed(1)).join(' / ')}`,
  )
  for (const { url, ms } of values.each ? sorted : sorted.slice(-4))
    console.log(`   ${ms.toFixed(1).padStart(8)}  ${decodeURIComponent(url.replaceAll('+', ' '))}`)
}
