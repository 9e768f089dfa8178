/**
 * Measures the budget drill-down at 3 × 50,000 items on PostgreSQL: summary and first page of items at every level, all
 * items and matched ones. Also alternates text searches between SQL and the in-memory texts and requires identical
 * results.
 *
 *   nice -n 15 node bench/budget.ts --count 25
 */
import { parseArgs } from 'node:util'
import Fastify, { type FastifyInstance } from 'fastify'
import { validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import sql from 'sql-template-tag'
import { generateSampleBudget } from '#sample/sample-budget.ts'
import { createSampleCatalogue } from '#sample/sample-projects.ts'
import { refreshBudgetWordMatches } from '#server/jobs/intake/refresh-budget.ts'
import type { BudgetRow } from '#server/market/budget/budget-row.ts'
import { BudgetTextCache } from '#server/market/budget/budget-text-cache.ts'
import { replaceBudgetYear } from '#server/market/budget/replace-budget-year.ts'
import { budgetRoutes } from '#server/market/budget/routes.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { migrateDatabase } from '#server/platform/engine/migrate-database.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import { responseSerializer } from '#server/platform/route/response-serializer.ts'
import { addBudgetOrganisation } from '../test/world/budget-world.ts'
import { withBenchPostgres } from './server/bench-postgres.ts'

const { values } = parseArgs({ options: { count: { type: 'string', default: '25' } } })
const YEARS = [2568, 2569, 2570]
const ITEMS = 50_000
const LINKED = 12_000

/** Repeats the demo items up to 50,000, each copy with a different place name at the end. */
function manyItems(year: number): BudgetRow[] {
  const few = generateSampleBudget(createSampleCatalogue(2569), year)
  return Array.from({ length: ITEMS }, (_, index) => {
    const item = few[index % few.length]!
    const copy = Math.floor(index / few.length)
    const description = copy === 0 ? item.description : `${item.description} แห่งที่ ${copy}`
    return { ...item, description, sourceId: String(index), amountSatang: (item.amountSatang ?? 0) + copy * 100 }
  })
}

async function fill(db: OpenDb): Promise<void> {
  await migrateDatabase(db)
  const [existing] = await db.query<{ n: number }>(sql`select count(*)::int as n from budget_items`)
  if (existing!.n === ITEMS * YEARS.length) return
  const words = { include: ['กล้อง', 'คอมพิวเตอร์', 'ระบบเครือข่าย', 'ก่อสร้างอาคาร', 'ถนน'], exclude: ['บำรุงรักษา'] }
  await addBudgetOrganisation(db, { years: YEARS.join(',') }, { words })
  for (const fiscalYear of YEARS) {
    const rows = manyItems(fiscalYear)
    const started = performance.now()
    const year = { fiscalYear, origin: 'bench', read: ITEMS, rows, refused: [], at: new Date() }
    await db.transaction((tx) => replaceBudgetYear(tx, year), { idleTimeoutMs: 0 })
    console.log(`${fiscalYear}: ${ITEMS} items in ${Math.round(performance.now() - started)} ms`)
  }
  const started = performance.now()
  await refreshBudgetWordMatches(db)
  console.log(`words of one organisation in all years: ${Math.round(performance.now() - started)} ms`)
  // Project names stay empty: the measured queries do not read them.
  await db.execute(
    sql`
    with load as (insert into loads (source, origin, state, published_at) values ('bench', 'bench', 'published', now()) returning id),
      department as (insert into departments (name, sub_name) values ('bench', 'bench') returning id),
      linked as (select i.id, row_number() over (order by i.id) as n from budget_items i where i.id % ${Math.floor((ITEMS * 3) / LINKED / 3)}::int = 0),
      made as (
        insert into projects (project_id, name, name_search, name_spaced, department_id, fiscal_year, status, movement, method, method_type, source,
          first_load, changed_load, written_load)
        select 'b' || l.id, 'bench', 'bench', 'bench', d.id, 2569, 'in_progress', 'invited', 'e_bidding', 'buy', 'bench', load.id, load.id, load.id
        from linked l, load, department d returning project_id
      )
    insert into budget_links (item_id, project_id, confidence, reasons, state, announced_on, estimate_satang, winner_satang)
    select l.id, m.project_id, 0.6 + (l.n % 5) * 0.1, '{}', 1 + l.n % 4, date '2026-01-01' + (l.n % 300)::int, 1000000, 900000 + l.n
    from linked l join made m on m.project_id = 'b' || l.id`,
    { timeoutMs: 0 },
  )
  await db.execute(
    sql`
    update budget_items i set state = l.state, links = 1 from budget_links l where l.item_id = i.id and l.confidence >= 0.7`,
    { timeoutMs: 0 },
  )
  await db.script(
    'vacuum (analyze) budget_items, budget_item_texts, budget_matches, budget_links, budget_names, projects',
  )
}

async function measure(db: OpenDb): Promise<void> {
  const texts = new BudgetTextCache(db, { megabytes: 100 })
  const started = performance.now()
  await texts.preload(YEARS)
  console.log(`texts read in ${Math.round(performance.now() - started)} ms`)
  const bySql = await appOf(db, undefined)
  const byMemory = await appOf(db, texts)
  await measureDrill(bySql)
  await measureSearches(bySql, byMemory)
  await Promise.all([bySql.close(), byMemory.close(), texts.stop()])
}

async function appOf(db: OpenDb, texts: BudgetTextCache | undefined): Promise<FastifyInstance> {
  const app = Fastify().withTypeProvider<ZodTypeProvider>()
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(responseSerializer)
  const [organisation] = await db.query<{ id: number }>(sql`
    select o.id from organisations o join budget_match_runs r on r.organisation_id = o.id limit 1`)
  const actor: Actor = {
    organisationId: organisation!.id,
    userId: 1,
    sessionId: '-',
    role: 'member_user',
    isDemo: false,
    features: ['budget_year'],
  }
  budgetRoutes(app, {
    db,
    texts,
    actorOf: async () => actor,
    now: () => new Date(),
    mails: { queue: async () => undefined, link: (address) => address },
  })
  await app.ready()
  return app
}

async function measureDrill(app: FastifyInstance): Promise<void> {
  const path: Record<string, string> = {}
  const drill: [string, Record<string, string>][] = [['ministries', { scope: 'all' }]]
  for (const level of ['ministry', 'unit', 'plan', 'project']) {
    const answer = await app.inject({
      url: `/budgets/summary?${new URLSearchParams({ scope: 'all', year: '2570', ...path })}`,
    })
    path[level] = answer.json().breakdown[0].name
    drill.push([`below ${level}`, { scope: 'all', ...path }])
  }
  const queries: [string, Record<string, string>][] = [
    ...drill,
    ['matched', {}],
    ['matched below ministry', { ministry: path.ministry! }],
    ['state', { scope: 'all', state: 'invited||awarded' }],
  ]
  const all: number[] = []
  for (const [name, query] of queries)
    for (const route of ['/budgets/summary', '/budgets']) {
      const times: number[] = []
      for (let round = 0; round < Number(values.count); round += 1) {
        const year = String(YEARS[round % 3])
        const started = performance.now()
        const { statusCode, body } = await app.inject({ url: `${route}?${new URLSearchParams({ ...query, year })}` })
        if (statusCode !== 200) throw new Error(`${route}: ${statusCode} ${body}`)
        times.push(performance.now() - started)
      }
      all.push(...times)
      console.log(
        `${name.padEnd(24)} ${route.padEnd(18)} best ${at(times, 0)} ms  p50 ${at(times, 0.5)} ms  p95 ${at(times, 0.95)} ms`,
      )
    }
  console.log(`drill-down overall: p95 ${at(all, 0.95)} ms over ${all.length} requests`)
}

const SEARCHES = ['กล้อง<<ซ่อม', 'กล้อง', 'คอมพิวเตอร์||ระบบเครือข่าย', 'ก่อสร้าง##ถนน', '"แห่งที่ 3"']

async function measureSearches(bySql: FastifyInstance, byMemory: FastifyInstance): Promise<void> {
  for (const route of ['/budgets/summary', '/budgets']) {
    const times: { readonly sql: number[]; readonly memory: number[] } = { sql: [], memory: [] }
    for (const q of SEARCHES)
      for (let round = 0; round < Number(values.count); round += 1) {
        const url = `${route}?${new URLSearchParams({ scope: 'all', q, year: String(YEARS[round % 3]) })}`
        const bodies: string[] = []
        for (const [app, taken] of [
          [bySql, times.sql],
          [byMemory, times.memory],
        ] as const) {
          const started = performance.now()
          bodies.push((await app.inject({ url })).body)
          taken.push(performance.now() - started)
        }
        if (bodies[0] !== bodies[1]) throw new Error(`${url}: responses differ`)
      }
    for (const [by, taken] of Object.entries(times))
      console.log(
        `search by ${by.padEnd(8)} ${route.padEnd(18)} best ${at(taken, 0)} ms  p50 ${at(taken, 0.5)} ms  p95 ${at(taken, 0.95)} ms  (${taken.length})`,
      )
  }
}

const at = (times: readonly number[], share: number) =>
  Math.round(times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))]!)

await withBenchPostgres('tamngan_bench_budget', console.log, async (open) => {
  const db = await open()
  await fill(db)
  await measure(db)
  await db.close()
})
