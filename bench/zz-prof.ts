import { createDb } from '#server/engine/create-db.ts'
import { openPostgres } from '#server/engine/postgres.ts'
import { migrate } from '#server/engine/migrate.ts'
import { ReportMemory } from '#server/features/report/memory/report-memory.ts'
import { answerFacets, answerPage } from '#server/features/report/answer.ts'
import { readReportInput } from '#server/features/report/report-input.ts'
import { asTenant } from '#server/engine/tenant.ts'
import { BENCH_SEARCHES } from './data/report-searches.ts'
import sql from 'sql-template-tag'
const url = new URL((await import('node:fs')).readFileSync('/tmp/colcmp/pg.url','utf8')); url.pathname='/tamngan_bench_report'
const db = createDb(await openPostgres(url.href))
try { await migrate(db) } catch (e) { console.log(String(e)) }
const memory = new ReportMemory(db, { megabytes: 900 })
let t = performance.now()
await memory.refresh(); console.log('columns', performance.now()-t)
for (const org of (process.argv[2] ?? '1,2,3').split(',').map(Number)) {
  await memory.hold(org)
  const [u] = await db.query<{id:number}>(sql`select id from users where organisation_id = ${org}::int`)
  const scope = { organisationId: org, userId: u!.id, today: '2026-11-21', visit: {endedAt:'2026-11-20T00:00:00Z', loads:[2]} }
  const all: number[] = []
  for (const flat of BENCH_SEARCHES) {
    const { search } = readReportInput(flat)
    if (search.ai_deep_search__in || JSON.stringify(flat).includes('\\"')) continue
    let best = [1e9, 1e9]
    for (let i = 0; i < 4; i++) {
      await asTenant(scope, async () => {
        const a = performance.now(); await answerPage({db, memory}, search, scope)
        const b = performance.now(); await answerFacets({db, memory}, search, scope)
        const c = performance.now(); best = [Math.min(best[0]!, b-a), Math.min(best[1]!, c-b)]
        if (i > 0) all.push(c - a)
      })
    }
    console.log(org, best.map(x=>x.toFixed(1).padStart(7)).join(' '), JSON.stringify(flat))
  }
  all.sort((a,b)=>a-b); console.log(org, 'p50', all[all.length>>1]!.toFixed(1), 'p95', all[Math.floor(all.length*0.95)]!.toFixed(1), memory.figures())
}
await memory.stop(); await db.close()
