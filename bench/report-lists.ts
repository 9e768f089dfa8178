import { isDeepStrictEqual, parseArgs } from 'node:util'
import sql from 'sql-template-tag'
import { parseReportSearch } from '#contract/report/report-params.ts'
import { filterDataOf } from '#contract/report/saved-filter-search.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { migrate } from '#server/platform/engine/migrate.ts'
import { asTenant } from '#server/platform/engine/tenant.ts'
import type { ReportSource } from '#server/report/answer.ts'
import { answerExport, answerIds, answerPassing, answerQueue } from '#server/report/answer-lists.ts'
import { ReportMemory } from '#server/report/memory/report-memory.ts'
import type { ReportScope } from '#server/report/queries.ts'
import { loadSavedFilterCounts } from '#server/report/saved-filter-counts.ts'
import { BENCH_TODAY, type BenchScope, ensureBenchData } from './data/report-data.ts'
import { BENCH_SEARCHES } from './data/report-searches.ts'
import { onBenchPostgres } from './server/bench-postgres.ts'
import { machineLine } from './server/machine.ts'

/**
 * What the report answers beside its page and facets: counts of saved filters, the morning queue, ids of a selection, the list of an export, which projects
 * of a mail a filter finds. Each is asked of memory and of SQL in turns, the answers are held against each other.
 *
 *   npx node bench/report-lists.ts [--projects 300000] [--rounds 3] [--matches 20000,130000] [--memory 800]
 *
 * PostgreSQL, the data of `bench/report.ts`; saved filters are its first fifteen searches that are filters.
 */
const { values } = parseArgs({
  options: {
    projects: { type: 'string', default: '300000' },
    rounds: { type: 'string', default: '3' },
    matches: { type: 'string', default: '20000,130000' },
    memory: { type: 'string', default: '800' },
  },
})
const say = (text: string) => console.error(text)
const SEARCHES = BENCH_SEARCHES.filter((search) => search.ai_deep_search__in === undefined && search.page === undefined)

console.log(machineLine(`${values.projects} projects`, `${SEARCHES.length} searches`))
await onBenchPostgres('tamngan_bench_report', say, async (open) => {
  const db = await open()
  await migrate(db)
  const scopes = await ensureBenchData(db, Number(values.projects), say, values.matches.split(',').map(Number))
  for (const scope of scopes) await measure(db, scope)
  await db.close()
})

async function measure(db: OpenDb, { organisationId, userId, matches }: BenchScope): Promise<void> {
  const memory = new ReportMemory(db, { megabytes: Number(values.memory) })
  const scope: ReportScope = { organisationId, userId, today: BENCH_TODAY }
  await saveFilters(db, userId)
  await memory.hold(organisationId)
  const at = new Date(`${BENCH_TODAY}T05:00:00Z`)
  const given = (
    await db.query<{ id: string }>(
      sql`select project_id as id from project_matches where organisation_id = ${organisationId}::int order by project_id limit 500`,
    )
  ).map(({ id }) => id)
  const searches = SEARCHES.map((flat) => parseReportSearch(flat).search)
  const questions: Record<string, ((source: ReportSource) => Promise<unknown>)[]> = {
    'counts of 15 saved filters': [(source) => loadSavedFilterCounts(source, scope)],
    'morning queue': searches.map((search) => (source) => answerQueue(source, search, scope)),
    'ids of a selection': searches.map((search) => (source) => answerIds(source, search, scope)),
    'list of an export': SEARCHES.map(
      (flat) => (source) => answerExport(source, flat, { organisationId, userId, at }, 200_000),
    ),
    '500 projects of a mail, 5 filters': searches
      .slice(0, 25)
      .flatMap((_, i) =>
        i % 5 === 0 ? [(source: ReportSource) => answerPassing(source, searches.slice(i, i + 5), scope, given)] : [],
      ),
  }
  for (const [name, asked] of Object.entries(questions)) {
    const times = { memory: [] as number[], SQL: [] as number[] }
    for (let round = 0; round < Number(values.rounds); round += 1) {
      for (const ask of asked) {
        const ofMemory = await timed(() => ask({ db, memory }), scope)
        const ofSql = await timed(() => ask({ db }), scope)
        times.memory.push(ofMemory.ms)
        times.SQL.push(ofSql.ms)
        if (!isDeepStrictEqual(ofMemory.answer, ofSql.answer)) throw new Error(`${name}: answers differ`)
      }
    }
    const line = Object.entries(times).map(
      ([by, ms]) => `${by} ${[0.5, 0.95].map((p) => percentile(ms, p)).join(' / ')}`,
    )
    console.log(`${matches} matches  ${name.padEnd(34)}  p50 / p95 ms  ${line.join('   ')}`)
  }
  console.log('answered', JSON.stringify(memory.figures().answered))
  await memory.stop()
}

async function saveFilters(db: OpenDb, userId: number): Promise<void> {
  await db.execute(sql`delete from saved_filters where user_id = ${userId}::int`)
  for (const [i, flat] of SEARCHES.slice(0, 15).entries())
    await db.execute(sql`
      insert into saved_filters (user_id, id, name, filter_data)
      values (${userId}::int, ${`f${i}`}, ${`f${i}`}, ${JSON.stringify(filterDataOf(parseReportSearch(flat).search))}::jsonb)`)
}

async function timed<T>(ask: () => Promise<T>, { organisationId, userId }: ReportScope) {
  const started = performance.now()
  const answer = await asTenant({ organisationId, userId }, ask)
  return { answer, ms: performance.now() - started }
}

function percentile(ms: readonly number[], p: number): string {
  const sorted = [...ms].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(p * sorted.length) - 1)]!.toFixed(1)
}
