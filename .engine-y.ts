import sql from 'sql-template-tag'
import { createDb } from '#server/db/create-db.ts'
import { openPostgres } from '#server/db/postgres.ts'
import { matchChanges } from '#server/features/matching/match-changes.ts'
import { addWord, removeWord } from '/work/main/bench/rematch-data.ts'
const raw = createDb(await openPostgres('postgres://postgres@127.0.0.1:4610/rematch'))
const times = new Map<string, { n: number; ms: number }>()
const wrap = (db: any): any => ({ ...db,
  query: (s: any, o: any) => timed(s.text, () => db.query(s, o)),
  execute: (s: any, o: any) => timed(s.text, () => db.execute(s, o)),
  transaction: (w: any, o: any) => db.transaction((tx: any) => w(wrap(tx)), o) })
async function timed(text: string, f: () => Promise<any>) {
  const key = text.replace(/\s+/g, ' ').trim().slice(0, 60)
  const t = performance.now()
  try { return await f() } finally { const e = times.get(key) ?? { n: 0, ms: 0 }; e.n++; e.ms += performance.now() - t; times.set(key, e) }
}
const db = wrap(raw)
const [org] = await raw.query<{id:number}>(sql`select id from organisations`)
import { readFileSync, readdirSync } from 'node:fs'
const pgCpu = () => { let sum = 0; for (const pid of readdirSync('/proc').filter((x) => /^\d+$/.test(x))) { try { const c = readFileSync(`/proc/${pid}/cmdline`, 'utf8'); if (!c.startsWith('postgres: postgres rematch')) continue; const f = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' '); sum += Number(f[11]) + Number(f[12]) } catch {} } return sum * 10 }
for (const word of process.argv.slice(2)) {
 for (const what of ['add', 'remove']) {
  if (what === 'add') await addWord(raw, org.id, word); else await removeWord(raw, org.id, word)
  await raw.execute(sql`update organisations set rules_version = rules_version + 1`)
  times.clear()
  const t = performance.now(), c = process.cpuUsage().user, g = pgCpu()
  const r = await matchChanges(db, org.id, { expressions: [word] })
  console.log(what, word, r, Math.round(performance.now() - t), 'ms, node cpu', Math.round((process.cpuUsage().user - c) / 1000), 'pg cpu', pgCpu() - g)
  for (const [k, { n, ms }] of [...times].sort((a, b) => b[1].ms - a[1].ms).slice(0, 8)) console.log('   ', Math.round(ms), n, k)
 }
}
await raw.close()
