import sql from 'sql-template-tag'
import { FeedFormatError } from '#server/catalogue/feed/feed-source.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { addNightlyRunCounts } from './nightly-runs.ts'

export type IntakeFile = {
  readonly id: number
  readonly address: string
  readonly name: string
  readonly version: string
  readonly state: 'waiting' | 'fetched' | 'imported' | 'known' | 'failed'
  readonly validator: string | null
  readonly hash: string | null
  readonly tries: number
}

export type FileImportCounts = {
  readonly read: number
  readonly quarantined: number
  readonly newProjects: number
  readonly updatedProjects: number
}

export type IntakeFileOutcome =
  | ({ readonly state: 'imported' } & FileImportCounts)
  | { readonly state: 'known' | 'failed'; readonly reason: string }

const COLUMNS = sql`id, address, name, version, state, validator, hash, tries`

export async function listPendingIntakeFiles(db: Db, source: string): Promise<IntakeFile[]> {
  return await db.query<IntakeFile>(sql`
    select ${COLUMNS} from intake_files where source = ${source} and state in ('waiting', 'fetched') order by id`)
}

export type IntakeFileReport = Omit<IntakeFile, 'validator' | 'hash' | 'tries'> & {
  readonly bytes: number | null
  readonly rowsRead: number
  readonly rowsQuarantined: number
  readonly newProjects: number
  readonly updatedProjects: number
  readonly reason: string | null
  readonly foundAt: string
  readonly finishedAt: string | null
}

export async function listIntakeFiles(db: Db, source: string, limit: number): Promise<IntakeFileReport[]> {
  return await db.query<IntakeFileReport>(sql`
    select id, address, name, version, state, bytes::float8 as bytes, rows_read as "rowsRead", rows_quarantined as "rowsQuarantined",
      new_projects as "newProjects", updated_projects as "updatedProjects", reason, found_at as "foundAt", finished_at as "finishedAt"
    from intake_files where source = ${source} order by coalesce(finished_at, found_at) desc, id desc limit ${limit}::int`)
}

export async function recordIntakeFile(
  tx: Db,
  source: string,
  file: { readonly address: string; readonly name: string; readonly version: string; readonly bytes?: number | null },
  at: Date,
): Promise<void> {
  const { address, name, version, bytes = null } = file
  await tx.execute(sql`
    insert into intake_files (source, address, name, version, bytes, found_at)
    values (${source}, ${address}, ${name}, ${version}, ${bytes}::bigint, ${at.toISOString()}::timestamptz)
    on conflict (source, address, version) do nothing`)
}

async function findSameContent(db: Db, id: number, hash: string): Promise<string | undefined> {
  const [row] = await db.query<{ name: string }>(sql`
    select name from intake_files where hash = ${hash} and state = 'imported' and id <> ${id} order by finished_at limit 1`)
  return row?.name
}

/**
 * Imports a completely downloaded file unless the same content was imported before (outcome `known`). An unreadable
 * file is `failed`; other errors are rethrown.
 */
export async function importIntakeFileOnce(
  db: Db,
  { id, hash }: { readonly id: number; readonly hash: string | null },
  importFile: () => Promise<FileImportCounts>,
): Promise<IntakeFileOutcome> {
  const twin = hash === null ? undefined : await findSameContent(db, id, hash)
  if (twin !== undefined) return { state: 'known', reason: `เนื้อหาเดียวกับ ${twin} ที่นำเข้าแล้ว` }
  try {
    return { state: 'imported', ...(await importFile()) }
  } catch (error) {
    if (error instanceof FeedFormatError) return { state: 'failed', reason: error.message }
    throw error
  }
}

export async function recordIntakeFileFetched(tx: Db, id: number, hash: string): Promise<void> {
  await tx.execute(sql`update intake_files set state = 'fetched', hash = ${hash} where id = ${id}::bigint`)
}

export async function recordIntakeFileOutcome(
  tx: Db,
  { source, night, at }: { readonly source: string; readonly night: string; readonly at: Date },
  file: Pick<IntakeFile, 'id'>,
  outcome: IntakeFileOutcome,
): Promise<void> {
  const counts =
    outcome.state === 'imported' ? outcome : { read: 0, quarantined: 0, newProjects: 0, updatedProjects: 0 }
  const reason = outcome.state === 'imported' ? null : outcome.reason
  await tx.execute(sql`
    update intake_files set state = ${outcome.state}, reason = ${reason}, rows_read = ${counts.read}::int, tries = tries + 1,
      rows_quarantined = ${counts.quarantined}::int, new_projects = ${counts.newProjects}::int, updated_projects = ${counts.updatedProjects}::int,
      finished_at = ${at.toISOString()}::timestamptz
    where id = ${file.id}::bigint`)
  await addNightlyRunCounts(tx, source, night, {
    answers: outcome.state === 'failed' ? 0 : 1,
    items: counts.read,
    newItems: counts.newProjects,
    changedItems: counts.updatedProjects,
    unreadableItems: counts.quarantined,
  })
}

export async function retryFailedIntakeFiles(tx: Db, source: string): Promise<void> {
  await tx.execute(sql`
    update intake_files set state = 'waiting', reason = null, tries = 0 where source = ${source} and state = 'failed'`)
}

/**
 * Requeues unversioned files for a conditional request, and files that could not be downloaded. A complete but
 * unreadable file waits for a new version, or is downloaded again if it is unversioned.
 */
export async function requeueIntakeFiles(tx: Db, source: string, addresses: readonly string[]): Promise<void> {
  await tx.execute(sql`
    update intake_files set state = 'waiting', tries = 0, validator = case when state = 'failed' then null else validator end,
      hash = case when state = 'failed' then null else hash end
    where source = ${source} and address = any (${[...addresses]}::text[])
      and (version = '' and state in ('imported', 'known', 'failed') or state = 'failed' and hash is null)`)
}

export async function recordIntakeFileUnchanged(
  tx: Db,
  { source, night, at }: { readonly source: string; readonly night: string; readonly at: Date },
  { id }: Pick<IntakeFile, 'id'>,
): Promise<void> {
  await tx.execute(sql`
    update intake_files set state = 'imported', finished_at = ${at.toISOString()}::timestamptz
    where id = ${id}::bigint`)
  await addNightlyRunCounts(tx, source, night, { answers: 1 })
}

export async function countImportedRows(db: Db, source: string): Promise<number> {
  const [row] = await db.query<{ rows: number }>(sql`
    select coalesce(sum(rows_read), 0)::float8 as rows from intake_files where source = ${source}`)
  return row!.rows
}

export async function readLatestIntakeFileFailure(db: Db, source: string): Promise<string | null> {
  const [row] = await db.query<{ state: string; name: string; reason: string | null }>(sql`
    select state, name, reason from intake_files where source = ${source} and finished_at is not null order by finished_at desc, id desc limit 1`)
  return row?.state === 'failed' ? `${row.name}: ${row.reason}` : null
}
