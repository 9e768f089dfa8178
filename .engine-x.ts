import sql from 'sql-template-tag'
import { createDb } from '#server/db/create-db.ts'
import { openPostgres } from '#server/db/postgres.ts'
import { requestMatching } from '#server/db/match-requests.ts'
import { scheduleMatching } from '#server/jobs/match-schedule.ts'
import { rematchOrganisation } from '#server/features/matching/match-organisation.ts'
import { addWord, removeWord } from '/work/main/bench/rematch-data.ts'
const db = createDb(await openPostgres('postgres://postgres@127.0.0.1:4610/rematch'))
await db.script(`alter table project_matches add column if not exists reasons jsonb not null default '[]'`)
const [org] = await db.query<{id:number}>(sql`select id from organisations`)
const count = async () => (await db.query<{n:number}>(sql`select count(*) as n from project_matches where organisation_id=${org.id}::int`))[0].n
if (await count() === 0) {
  const t = performance.now()
  console.log('full', await rematchOrganisation(db, org.id), performance.now() - t)
}
console.log('matches', await count())
const s = scheduleMatching(db, { info: (l, t) => console.log(t, JSON.stringify(l)), warn: console.log, error: console.log })
const state = async () => (await db.query<any>(sql`select state, done, total from match_requests order by id desc limit 1`))[0]
async function go(what: string, change: (tx: any) => Promise<void>, word: string) {
  await new Promise(r => setTimeout(r, 300))
  const before = await count()
  const t = performance.now()
  await db.transaction(async tx => { await change(tx); await requestMatching(tx, org.id, { expressions: [word] }, new Date()) })
  let first = 0
  for (;;) {
    const x = await state()
    if (!first && x.done > 0) { first = performance.now() - t }
    if (x.state === 'done' || x.state === 'failed') { console.log(what, word, x, 'first', Math.round(first), 'all', Math.round(performance.now() - t), before, '->', await count()); break }
    await new Promise(r => setTimeout(r, 50))
  }
}
for (const word of process.argv.slice(2)) {
  await go('add', tx => addWord(tx, org.id, word), word)
  await go('remove', tx => removeWord(tx, org.id, word), word)
}
await s.stop(); await db.close()
