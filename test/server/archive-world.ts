import sql from 'sql-template-tag'
import { listTables, sumUp } from '#server/engine/backup/backup-tables.ts'
import { createDb } from '#server/engine/create-db.ts'
import type { Db, OpenDb } from '#server/engine/db.ts'
import { openPostgres } from '#server/engine/postgres.ts'
import { ARCHIVED_TABLES } from '#server/engine/repartition/archive-years.ts'
import { listSource, readAll, recordsOf } from '#server/features/feed/feed-for-tests.ts'
import type { FeedRecord } from '#server/features/feed/feed-source.ts'
import { sampleSource } from '#server/features/feed/sample/sample-source.ts'
import { seedSampleOrganisations } from '#server/features/sample-account/seed-sample.ts'
import { asOnlyLoader, runLoad } from '#server/jobs/load/run-load.ts'
import { PATIENT } from './database-setup.ts'
import { makeMigratedPostgres } from './databases.ts'
import { everyAnswer } from './every-answer.ts'

const TODAY = '2026-11-21'
const NOW = new Date(`${TODAY}T03:00:00Z`)
export const ARCHIVE_EMAIL = 'manager@tharamek.example'

/** Each fortieth project of the sample: of 2567 to 2569, with contracts, bidders, files and announcements. */
export const oldRecords = async (): Promise<FeedRecord[]> =>
  recordsOf(await readAll(sampleSource({ seed: 25, today: TODAY }))).filter((_, at) => at % 40 === 0)

/** What e-GP says of them later: another sum and winner, one file more, and a project of an old number that was never heard of. */
export const corrected = (all: readonly FeedRecord[], round: number): FeedRecord[] => [
  ...all
    .filter((_, at) => at % 7 === round % 7)
    .map((record) => ({
      ...record,
      budgetSatang: (record.budgetSatang ?? 0) + 100 * (round + 1),
      bidders: record.bidders?.toReversed(),
      attachments: [{ url: `https://egp.example/late/${round}`, name: 'แก้ไข', step: 'invited' }],
    })),
  { ...all[round]!, projectId: `6701999${String(round).padStart(4, '0')}` },
]

export type ArchiveWorld = { readonly url: string; readonly db: OpenDb; close(): Promise<void> }
/** As an import takes in a file. */
export const loadRecords = async (db: Db, source: readonly FeedRecord[]) =>
  await asOnlyLoader(db, (lease) =>
    runLoad(db, lease, listSource(source), { origin: 'test', fingerprint: String(source.length), today: TODAY }),
  )
/** The sample's organisations, these projects, and a first correction of them, on a PostgreSQL of its own. */
export async function makeArchiveWorld(all: readonly FeedRecord[]): Promise<ArchiveWorld> {
  const { url, drop } = await makeMigratedPostgres()
  const db = createDb(await openPostgres(url, PATIENT))
  await seedSampleOrganisations(db, TODAY)
  await loadRecords(db, all)
  await loadRecords(db, corrected(all, 0))
  const close = async () => {
    // One test has closed it already.
    await db.close().catch(() => undefined)
    await drop()
  }
  return { url, db, close }
}
/** What is answered about the projects of the user `ARCHIVE_EMAIL` (`everyAnswer`). */
export async function answersOf(db: Db, megabytes: number): Promise<Record<string, string>> {
  const [who] = await db.query<{ id: number }>(
    sql`select organisation_id as id from users where email_key = ${ARCHIVE_EMAIL}`,
  )
  const [company] = await db.query<{ name: string }>(
    sql`select c.name from companies c join company_projects p on p.company_id = c.id group by c.id, c.name order by count(*) desc, c.name limit 1`,
  )
  const projects = await db.query<{ id: string }>(sql`
    (select m.project_id as id from project_matches m where m.organisation_id = ${who!.id}::int order by 1 limit 2)
    union all (select m.project_id from project_matches m where m.organisation_id = ${who!.id}::int order by 1 desc limit 1)`)
  const [buyer] = await db.query<{ name: string }>(sql`
    select d.name from departments d join projects p on p.department_id = d.id group by d.name order by count(*) desc, d.name limit 1`)
  const asker = {
    email: ARCHIVE_EMAIL,
    organisationId: who!.id,
    now: NOW,
    agency: buyer!.name,
    companies: [company!.name],
  }
  return await everyAnswer(db, { ...asker, projects: projects.map(({ id }) => id), megabytes })
}
/** Number and hash of the rows of all that belongs to projects and follows from them. */
export async function sumsOf(
  db: Db,
  names: readonly string[] = [...ARCHIVED_TABLES, 'company_projects'],
): Promise<Record<string, { rows: number; hash: string }>> {
  const tables = (await listTables(db)).filter(({ name }) => names.includes(name))
  const found: Record<string, { rows: number; hash: string }> = {}
  for (const table of tables) found[table.name] = await sumUp(db, table)
  // With their words and not the numbers of these, which depend on who came first.
  const [matches] = await db.query<{ rows: number; hash: string }>(sql`
    select count(*) as rows, md5(string_agg(m::text, '|' order by m.organisation_id, m.project_id collate "C")) as hash from worded_matches m`)
  return { ...found, matches: matches! }
}
export const partitionsOf = async (db: Db) =>
  (
    await db.query<{ name: string }>(sql`
      select c.relname::text as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = any (${[...ARCHIVED_TABLES]}::text[]::regclass[]) order by 1`)
  ).map(({ name }) => name)
/** Of a copy that was not finished, and references that were not validated. */
export const leftOverOf = async (db: Db) =>
  await db.query(sql`
    select nspname::text as name from pg_namespace where nspname like '%\\_partitions'
    union all select tgname::text from pg_trigger where tgname like 'copy%'
    union all select conname::text from pg_constraint where conname = 'place' or (contype = 'f' and conparentid = 0 and not convalidated)`)
/** What the catalog says of the tables themselves: equal for one table and for a divided one. */
export const catalogOf = async (db: Db) =>
  await db.query(sql`
    select c.relname::text as name, pg_get_userbyid(c.relowner) as owner, c.relacl::text as rights,
      (select json_agg(json_build_array(a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attstorage, a.attcollation, pg_get_expr(d.adbin, d.adrelid)) order by a.attnum)
        from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
      (select json_agg(json_build_array(replace(pg_get_indexdef(i.indexrelid), ' ONLY ', ' '), i.indisvalid, i.indisprimary) order by i.indexrelid::regclass::text collate "C")
        from pg_index i where i.indrelid = c.oid) as indexes,
      (select json_agg(json_build_array(t.tgname, t.tgenabled, pg_get_triggerdef(t.oid)) order by t.tgname) from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal) as triggers,
      (select json_agg(distinct k.conname || ' ' || pg_get_constraintdef(k.oid)) from pg_constraint k where k.contype = 'f' and k.conparentid = 0
        and (k.conrelid = c.oid or k.conrelid in (select inhrelid from pg_inherits where inhparent = c.oid))) as refers,
      (select json_agg(distinct k.conname || ' ' || pg_get_constraintdef(k.oid)) from pg_constraint k where k.contype = 'f' and k.conparentid = 0 and k.confrelid = c.oid) as referred
    from pg_class c where c.oid = any (${[...ARCHIVED_TABLES]}::text[]::regclass[]) order by 1`)
