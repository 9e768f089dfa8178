import { cpus, loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import sql from 'sql-template-tag'
import { PROVINCES } from '#contract/thai/province.ts'
import { addDays } from '#contract/thai/thai-date.ts'
import { notifyOfLoad } from '#server/account/notification/create-notifications.ts'
import { loadChangePoll } from '#server/account/notification/queries.ts'
import type { Db, OpenDb } from '#server/platform/engine/db.ts'
import { migrate } from '#server/platform/engine/migrate.ts'
import { openDb } from '#server/platform/engine/open-db.ts'
import { tidyUpAfterLoad } from '#server/platform/engine/tidy-up.ts'
import { findUser } from '#server/report/user/queries.ts'
import { onBenchPostgres } from './server/bench-postgres.ts'

/**
 * What telling users costs a load, and what asking for it costs a user: 20,000 changed projects, 1,000 organisations of three users with 100 stars
 * each, one of the three with warnings for all e-bidding. Every project stands in the reports of about ten organisations.
 *
 *   npx node bench/notifications.ts [--engine pglite|postgres|both] [--projects 100000] [--organisations 1000] [--dir FOLDER]
 *
 * `first load`: everything due within a week is told at once. `next day`: what came to seven days, and another 20,000 changes. `no news`: a load
 * without records. Then the change poll and `GET /users/me` (its one statement) of a user with 1,000 notifications.
 */
const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'both' },
    projects: { type: 'string', default: '100000' },
    organisations: { type: 'string', default: '1000' },
    dir: { type: 'string', default: path.join(tmpdir(), 'tamngan-bench-notifications') },
  },
})
const projects = Number(values.projects)
const organisations = Number(values.organisations)
const TODAY = '2026-11-21'
const CHANGED = 20_000
const say = (text: string) => console.error(text)

console.log(
  `${new Date().toISOString()}  ${cpus().length} cores, Node ${process.version}, ${projects} projects, ${organisations} organisations, load ${loadavg()[0]?.toFixed(1)}`,
)
if (values.engine !== 'pglite')
  await onBenchPostgres('tamngan_bench_notifications', say, async (open) => measure(await open()))
if (values.engine !== 'postgres') await measure(await openDb({ dataDir: path.join(values.dir, values.organisations) }))

async function measure(db: OpenDb): Promise<void> {
  await migrate(db)
  await fill(db)
  await load(db, 'first load', TODAY, CHANGED)
  await load(db, 'next day', addDays(TODAY, 1), CHANGED)
  await load(db, 'no news', addDays(TODAY, 1), 0)
  await reading(db)
  await db.close()
}

/** Bids close over two months around today; a tenth of the projects is closed. */
async function fill(db: Db): Promise<void> {
  const [built] = await db.query(sql`select 1 from projects limit 1`)
  if (built) throw new Error('the database is used already: each run changes it')
  await db.script(`
    insert into loads (source, origin, state, published_at) values ('bench', 'bench', 'published', now());
    insert into departments (name, sub_name, province) values ('กรมตัวอย่าง', '', ${PROVINCES[0]!.code});
    insert into organisations (code, name, package, customer_config, areas_with_provinces)
      select 'o' || g, 'o' || g, 'bench', '{}', '{}' from generate_series(1, ${organisations}) g;
    insert into users (organisation_id, email, email_key, password_hash, is_noti_e_bidding)
      select 1 + g % ${organisations}, g::text, g::text, '-', g <= ${organisations} from generate_series(1, ${3 * organisations}) g;
    insert into projects (project_id, name, name_search, name_spaced, department_id, status, movement, movement_on, method, method_type, is_archived,
        draft_discussion_ends_on, submission_ends_on, source, first_load, changed_load, written_load)
      select (67000000000 + g)::text, t.name, t.name, t.name, 1, 'in_progress', 'invited', date '${TODAY}' - g % 90,
        case when g % 3 = 0 then 'selective' else 'e_bidding' end, 'buy', g % 10 = 0, date '${TODAY}' - g % 60, date '${TODAY}' + g % 60 - 30, 'bench', 1, 1, 1
      from generate_series(1, ${projects}) g cross join (select repeat('ประกวดราคาซื้อกล้องวงจรปิด ', 5) as name) t;
    insert into match_values (kind, value) values ('status', 'in_progress');`)
  const matches = sql`
    insert into project_matches (organisation_id, filters_id, words_id, first_load, project_id)
    select 1 + (hashint8(p.project_id::bigint * 31 + n)::bigint + 2147483648) % ${organisations}::int, 1, 1, 1, p.project_id
    from projects p cross join generate_series(1, 10) n on conflict do nothing`
  say(`${db.engine}: ${await db.execute(matches, { timeoutMs: 0 })} matches`)
  // A hundred stars of each user's own report, as many as chance lets.
  const stars = sql`
    insert into bookmarks (user_id, project_id)
    select u.id, m.project_id from users u join project_matches m on m.organisation_id = u.organisation_id
    where hashint8(m.project_id::bigint * 7 + u.id) % 10 = 0`
  say(`${db.engine}: ${await db.execute(stars, { timeoutMs: 0 })} stars`)
  await tidyUpAfterLoad(db)
  await db.script('analyze')
}

/** In one transaction with the changes, as in a load: the planner has not yet seen them. */
async function load(db: Db, what: string, today: string, changed: number): Promise<void> {
  const { updates, warnings, ms } = await db.transaction(
    async (tx) => {
      const [row] = await tx.query<{ id: number }>(sql`
        insert into loads (source, origin, state, published_at) values ('bench', 'bench', 'published', now()) returning id`)
      const id = row!.id
      await tx.execute(
        sql`
        update projects set changed_load = ${id}::bigint, written_load = ${id}::bigint
        where project_id in (select project_id from projects order by hashint8(project_id::bigint + ${id}) limit ${changed}::int)`,
        { timeoutMs: 0 },
      )
      const started = performance.now()
      const made = await notifyOfLoad(tx, id, { today, at: new Date() })
      return { ...made, ms: performance.now() - started }
    },
    { idleTimeoutMs: 0 },
  )
  console.log(
    `${db.engine.padEnd(9)} ${what.padEnd(11)} ${updates} updates, ${warnings} warnings: ${(ms / 1000).toFixed(2)} s  load ${loadavg()[0]?.toFixed(1)}`,
  )
}

async function reading(db: Db): Promise<void> {
  await db.execute(sql`
    insert into notifications (user_id, organisation_id, type, project_id, load_id, created_at)
    select 1, 2, 'Updated', p.project_id, -1, now() from projects p order by p.project_id limit 1000`)
  await tidyUpAfterLoad(db)
  for (const [what, ask] of [
    ['change poll', () => loadChangePoll(db, 1)],
    ['users/me', () => findUser(db, 1)],
  ] as const) {
    const times: number[] = []
    for (let i = 0; i < 300; i += 1) {
      const started = performance.now()
      await ask()
      times.push(performance.now() - started)
    }
    times.sort((a, b) => a - b)
    console.log(
      `${db.engine.padEnd(9)} ${what.padEnd(11)} p50 ${times[150]!.toFixed(2)} ms  p95 ${times[285]!.toFixed(2)} ms`,
    )
  }
}
