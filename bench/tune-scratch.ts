import { createDb } from '#server/db/create-db.ts'
import { openPostgres } from '#server/db/postgres.ts'
import { loadPage } from '#server/features/report/queries.ts'
import { loadPackedRows, loadPersonalCounts } from '#server/features/report/facet-queries.ts'
import { countFacets } from '#server/features/report/count-facets.ts'
import { loadFacets } from '#server/features/report/facets.ts'
import { parseReportSearch } from '#contract/report-params.ts'
const db = createDb(await openPostgres('postgres://postgres@127.0.0.1:54316/tamngan_bench_report'))
const org = Number(process.argv[2] ?? 1)
const scope = { organisationId: org, userId: org, today: '2026-11-21' }
async function best(name: string, f: () => unknown) {
  const t: number[] = []
  for (let i = 0; i < 25; i++) { const s = performance.now(); await f(); t.push(performance.now() - s) }
  t.sort((a, b) => a - b)
  console.log(name.padEnd(30), 'min', t[0]!.toFixed(1), 'p25', t[6]!.toFixed(1), 'p50', t[12]!.toFixed(1))
}
const searches = process.argv[3] ? process.argv.slice(3).map((x) => Object.fromEntries(new URLSearchParams(x))) : [{}, { project_status__in: 'in_progress' }, { project_name__in: 'กล้อง' }, { ordering: '-project_budget' }, {project_winner_name__in:'รายที่ 77'}]
import sql from 'sql-template-tag'
await best('select 1', () => db.query(sql`select 1`))
for (const flat of searches) {
  const { search } = parseReportSearch(flat)
  console.log(JSON.stringify(flat))
  await best('page', () => loadPage(db, search, scope))
  await best('packed', () => loadPackedRows(db, search, scope))
  await best('personal', () => loadPersonalCounts(db, search, scope))
  const packed = await loadPackedRows(db, search, scope)
  await best('count in node', () => countFacets(packed, new Map(), '2026-11-21'))
  await best('facets', () => loadFacets(db, search, scope))
}
await db.close()
