import { setTimeout as sleep } from 'node:timers/promises'
import sql, { raw } from 'sql-template-tag'
import { rematchOrganisation } from '#server/matching/rematch-organisation.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { Stage } from './kills-stage.ts'
import type { KillsWorld, Outcome } from './kills-world.ts'

const SETTLE_MS = 120_000
const AT_WORK_MS = 4_000

/**
 * Checks the database directly: indexes against their tables, matches against a fresh computation, limits, and that no
 * user is notified twice.
 */
export async function inspectDatabase(stage: Stage, world: KillsWorld | undefined, outcome: Outcome): Promise<void> {
  if (world) await settle(stage)
  const db = await stage.open()
  try {
    await checkIndexes(db, outcome)
    if (world) {
      await checkMatches(db, world, outcome)
      await checkOnce(db, outcome)
    }
  } finally {
    await db.close()
  }
}

/**
 * Lets the workers finish what was pending when the last server stopped. The embedded database cannot be opened
 * meanwhile.
 */
async function settle(stage: Stage): Promise<void> {
  const end = performance.now() + SETTLE_MS
  for (;;) {
    const server = await stage.start()
    stage.starts.pop()
    await stage.passLeases()
    await sleep(AT_WORK_MS)
    await server.stop()
    const db = await stage.open()
    const waiting = await countWaiting(db)
    await db.close()
    if (waiting === 0 || performance.now() > end) return
  }
}

/**
 * Condition for overdue jobs. Excludes jobs scheduled for later, such as report mails queued in the evening for the
 * next morning.
 */
const IS_OPEN = sql`state in ('waiting', 'running') and kind <> 'mail' and (state = 'running' or last_error is not null or run_at <= now())`

async function countWaiting(db: Db): Promise<number> {
  const [row] = await db.query<{ n: number }>(sql`
    select count(*) as n from jobs where ${IS_OPEN}`)
  return row!.n
}

async function checkIndexes(db: Db, outcome: Outcome): Promise<void> {
  await db.script('create extension if not exists amcheck')
  const indexes = await db.query<{ name: string }>(sql`
    select i.indexrelid::regclass::text as name from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
    where a.amname = 'btree' and c.relkind = 'i' and c.relnamespace = 'public'::regnamespace`)
  for (const { name } of indexes)
    await db
      .query(sql`select bt_index_check(${raw(`'${name.replaceAll("'", "''")}'`)}::regclass, true)`, { timeoutMs: 0 })
      .catch((error: Error) => outcome.lost.push(`amcheck ${name}: ${error.message}`))
}

const MATCHES = sql`
  select project_id, matched_by, matched_words, name_search, status, budget_satang
  from worded_matches join report_matches r using (organisation_id, project_id) join project_texts using (filters_id) order by organisation_id, project_id`

async function checkMatches(db: Db, world: KillsWorld, outcome: Outcome): Promise<void> {
  const before = await db.query(MATCHES)
  await rematchOrganisation(db, world.organisationId)
  const after = await db.query(MATCHES)
  if (JSON.stringify(before) !== JSON.stringify(after))
    outcome.halfApplied.push(`matches: ${before.length} stored, ${after.length} after a recomputation`)
}

async function checkOnce(db: Db, outcome: Outcome): Promise<void> {
  const wrong = await db.query<{ what: string }>(sql`
    select 'labels above the limit of user ' || u.id as what from users u
      where (select count(*) from labels l where l.user_id = u.id) > u.max_labels
    union all select 'a notification twice' from notifications group by user_id, project_id, type, due_on, load_id, export_id having count(*) > 1
    union all select 'a mail is still to be put together: ' || m.state from report_mails m where m.state = 'waiting'
      and not exists (select from jobs j where j.user_id = m.user_id and j.kind = 'report_mail' and j.state = 'waiting' and j.last_error is null and j.run_at > now())
    union all select 'a job is open: ' || kind || ' ' || state from jobs where ${IS_OPEN}
    union all select 'a job was given up: ' || kind || ' ' || last_error from jobs where state = 'dead' and kind <> 'mail'
    union all select 'more mails than loads to tell of for user ' || m.user_id from mails m where m.user_id is not null and m.kind = 'report'
      group by m.user_id having count(*) > (select count(*) from report_mails r where r.user_id = m.user_id and r.state = 'queued')
    union all select 'an export without its file: ' || e.id from report_exports e join jobs j on j.kind = 'export' and j.key = e.id
      where j.state = 'done' and e.bytes <> (select coalesce(sum(length(p.bytes)), 0) from report_export_parts p where p.export_id = e.id)
    union all select 'a project of no published load: ' || count(*) from projects p
      where not exists (select from loads l where l.id = p.first_load and l.state = 'published') having count(*) > 0
    union all select 'a published load with staged rows: ' || l.id from loads l where l.state = 'published'
      and exists (select from staged_chunks s where s.load_id = l.id)`)
  for (const { what } of wrong) outcome.halfApplied.push(what)
}
