import sql, { raw } from 'sql-template-tag'
import { PROVINCES } from '#contract/thai/province.ts'
import { createAccessTokens } from '#server/account/session/create-sessions.ts'
import { openFeedFile } from '#server/catalogue/feed/open-feed-file.ts'
import { runDataLoad, withDataLoadLease } from '#server/jobs/load/run-load.ts'
import type { Db, OpenDb } from '#server/platform/engine/db.ts'
import { vacuumAfterDataLoad } from '#server/platform/engine/vacuum-after-data-load.ts'
import { addWatchingOrganisation } from '../data/rematch-data.ts'
import { ensureBenchData } from '../data/report-data.ts'

const NO_LIMIT = { timeoutMs: 0 }
const WORDS_OF_ALL = ['ซื้อ', 'จ้าง', 'เช่า']
const ROWS_AT_ONCE = 5_000

type LargestScope = {
  readonly organisationId: number
  readonly userId: number
  /** True if the queried scope is the archived one. The bench queries the scope with the most projects. */
  readonly isArchived: boolean
  readonly rows: number
}

/**
 * Imports `file` for an organisation that sees nearly all of it; without a file, generates `made` projects of which it
 * sees `matches`.
 */
export async function fillReportDatabase(
  db: OpenDb,
  {
    file,
    made,
    matches,
    say,
  }: { file: string | undefined; made: number; matches: number; say: (text: string) => void },
): Promise<LargestScope> {
  if (file === undefined) await ensureBenchData(db, made, say, [matches])
  else {
    const organisationId = await addWatchingOrganisation(db, WORDS_OF_ALL)
    await db.execute(sql`
      insert into users (organisation_id, email, email_key, password_hash) values (${organisationId}::int, 'bench', 'bench', '-')`)
    const { source, fingerprint } = await openFeedFile(file)
    const report = await withDataLoadLease(db, (lease) =>
      runDataLoad(db, lease, source, { origin: 'bench', fingerprint }),
    )
    await vacuumAfterDataLoad(db)
    say(`${report.read} rows imported, ${report.matched} matched, ${report.seconds.toFixed(0)} s`)
  }
  const [largest] = await db.query<LargestScope>(
    sql`
    select u.organisation_id as "organisationId", u.id as "userId", m.is_archived as "isArchived", count(*) as rows
    from users u join report_matches m on m.organisation_id = u.organisation_id group by 1, 2, 3 order by 4 desc limit 1`,
    NO_LIMIT,
  )
  return largest!
}

/** Creates a session for that user without a password. The returned token is valid for half an hour. */
export async function createSessionToken(
  db: Db,
  { organisationId, userId }: LargestScope,
  secret: string,
): Promise<string> {
  const sessionId = `peers-${userId}-${Date.now()}`
  await db.execute(sql`
    insert into sessions (id, user_id, is_demo, created_at, last_seen_at, expires_at)
    values (${sessionId}, ${userId}::int, false, now(), now(), now() + interval '1 day')`)
  return createAccessTokens([secret]).sign({ userId, organisationId, sessionId }, new Date())
}

const COLUMNS = {
  id: ['text primary key', 'p.project_id'],
  name: ['text not null', 'p.name'],
  department: ['text', 'd.name'],
  unit: ['text', 'd.sub_name'],
  province: ['text', 'v.th'],
  budget: ['numeric(18, 2)', 'p.budget_satang / 100.0'],
  estimate: ['numeric(18, 2)', 'p.estimate_satang / 100.0'],
  criteria: ['text', 'p.criteria'],
  movement: ['text', 'p.movement'],
  movement_date: ['date', 'p.movement_on'],
  draft_published_date: ['date', 'p.draft_published_on'],
  draft_discussion_end_date: ['date', 'p.draft_discussion_ends_on'],
  bidding_invite_date: ['date', 'p.bidding_invited_on'],
  submission_end_date: ['date', 'p.submission_ends_on'],
  submission_time: ['text', 'p.submission_time'],
  status: ['text', 'p.status'],
  winner_name: ['text', 'p.winner_name'],
  winner_count: ['int', 'p.winner_count'],
  winner_budget: ['numeric(18, 2)', 'p.winner_satang / 100.0'],
  method: ['text', 'p.method'],
  method_type: ['text', 'p.method_type'],
  remark: ['text', 'p.remark'],
  winner_announce_date: ['date', 'p.winner_announced_on'],
  is_sme: ['boolean', 'p.is_sme'],
} as const
const list = (of: (name: string, column: readonly [string, string]) => string) =>
  raw(
    Object.entries(COLUMNS)
      .map(([name, column]) => of(name, column))
      .join(', '),
  )

/**
 * Copies the visible projects of that scope into the table `projects` of another database: exactly the rows the
 * organisation may see, so that peers need no access check. Indexes match the product's: the key, the report order, and
 * the filters. None supports word search, because the product has none either.
 */
export async function copyProjectsForPeers(
  from: Db,
  to: Db,
  { organisationId, isArchived }: LargestScope,
): Promise<void> {
  await to.script(`create table projects (${list((name, [type]) => `${name} ${type}`).text})`)
  const provinces = JSON.stringify(PROVINCES.map(({ code, th }) => ({ code, th })))
  let after = ''
  for (;;) {
    const rows = await from.query<{ id: string }>(
      sql`
      select ${list((name, [, value]) => `${value} as ${name}`)}
      from report_matches m join projects p on p.project_id = m.project_id join departments d on d.id = p.department_id
      left join json_to_recordset(${provinces}::text::json) as v (code smallint, th text) on v.code = p.project_province
      where m.organisation_id = ${organisationId}::int and m.is_archived = ${isArchived}::boolean and m.project_id > ${after}
      order by m.project_id limit ${ROWS_AT_ONCE}::int`,
      NO_LIMIT,
    )
    if (rows.length === 0) break
    await to.execute(
      sql`insert into projects select * from json_populate_recordset(null::projects, ${JSON.stringify(rows)}::text::json)`,
      NO_LIMIT,
    )
    after = rows.at(-1)!.id
  }
  await to.script(`
    create index on projects (movement_date desc nulls last, id);
    create index on projects (province, budget);
    create index on projects (budget);
    create index on projects (status);
    create index on projects (method)`)
  await to.script('vacuum analyze projects')
}

export async function findLargestProvinces(db: Db, count: number): Promise<string[]> {
  const rows = await db.query<{ province: string }>(
    sql`select province from projects where province is not null group by province order by count(*) desc, province limit ${count}::int`,
  )
  return rows.map(({ province }) => province)
}
