import { setTimeout as sleep } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { type Db, StatementError } from '#server/platform/engine/db.ts'
import { listKnownMigrations, migrateDatabase } from '#server/platform/engine/migrate-database.ts'
import {
  BACKUP_FORMAT,
  BACKUP_VERSION,
  type BackupHeader,
  type BackupLine,
  type BackupProgress,
  BackupRejectedError,
} from './backup-format.ts'
import {
  checksumTable,
  countTableRows,
  insertRowBlock,
  listBackupTables,
  setSequenceValue,
  VALUE_FORMAT_SETTINGS_SQL,
} from './backup-tables.ts'
import { clearSchema, dropRestorableIndexesAndConstraints, truncateAllTables } from './clear-schema.ts'

export type RestoreOptions = {
  readonly replace: boolean
  readonly onProgress?: ((progress: BackupProgress) => void) | undefined
}

/**
 * Replaces the whole database with a backup in one transaction: verifies the hashes, migrates to the newest schema and
 * ends all sessions. On failure nothing changes. Rejects with `BackupRejectedError` if the lines are damaged or newer than
 * this program, if the database is not empty (unless `replace`), or if a server is still connected after seconds of
 * waiting.
 */
export async function restoreBackup(
  db: Db,
  lines: AsyncIterable<string>,
  { replace, onProgress }: RestoreOptions,
): Promise<BackupHeader> {
  const reader = lines[Symbol.asyncIterator]()
  const next = async () => {
    const line = await reader.next()
    return line.done === true ? undefined : line.value
  }
  try {
    const header = readHeader(await next())
    await assertFits(header)
    return await db.transaction(
      async (tx) => {
        await assertNoServers(tx)
        if (!replace) await assertEmpty(tx)
        await clearSchema(tx)
        await migrateDatabase(tx, { upTo: header.migrations.at(-1)!.number, isExclusive: true })
        await tx.script(VALUE_FORMAT_SETTINGS_SQL)
        await assertSameTables(tx, header)
        await truncateAllTables(tx)
        const restored = await dropRestorableIndexesAndConstraints(tx)
        await insertRows(tx, header, next, onProgress)
        for (const statement of restored) await tx.script(statement)
        await migrateDatabase(tx, { isExclusive: true })
        // Sessions revoked after the backup must not become valid again, so every user logs in once.
        await tx.execute(sql`update sessions set revoked_at = now() where revoked_at is null`)
        return header
      },
      { idleTimeoutMs: 0 },
    )
  } finally {
    await reader.return?.()
  }
}

/** Matches the start of a line, which is enough to identify the line without parsing megabytes of values. */
const LINE_HEAD = /^\{"(table|end)":"([^"\\]+)","rows":(\d+)/

/**
 * Validates the structure of the whole backup without touching the database, so that a damaged, truncated or
 * incompatible file is rejected at once. Only the hashes detect changed values, and they are checked during the
 * restore.
 */
export async function validateBackup(lines: AsyncIterable<string>): Promise<BackupHeader> {
  let header: BackupHeader | undefined
  const endedTables = new Set<string>()
  let rows = 0
  let isComplete = false
  for await (const line of lines) {
    if (header === undefined) {
      header = readHeader(line)
      await assertFits(header)
      continue
    }
    const [, kind, table, count] = LINE_HEAD.exec(line) ?? []
    if (kind === 'table') rows += Number(count)
    else if (kind === 'end') {
      const expected = header.tables.find(({ name }) => name === table)?.rows
      if (expected !== rows || expected !== Number(count))
        throw damaged(`table ${table} has ${rows} rows, not ${expected ?? 'any'}`)
      endedTables.add(table!)
      rows = 0
    } else isComplete = line === '{"complete":true}'
  }
  if (header === undefined) throw new BackupRejectedError('this is not a tamngan backup')
  const missing = header.tables.find(({ name }) => !endedTables.has(name))
  if (missing !== undefined) throw damaged(`table ${missing.name} is missing`)
  if (!isComplete) throw damaged('it ends too early')
  return header
}

function readHeader(line: string | undefined): BackupHeader {
  const header = parse<Partial<BackupHeader>>(line ?? '')
  if (header?.format !== BACKUP_FORMAT) throw new BackupRejectedError('this is not a tamngan backup')
  if (header.version !== BACKUP_VERSION)
    throw new BackupRejectedError(`the backup uses format ${header.version}, this program reads ${BACKUP_VERSION}`)
  return header as BackupHeader
}

async function assertFits({ migrations }: BackupHeader): Promise<void> {
  const knownChecksums = new Map((await listKnownMigrations()).map(({ number, checksum }) => [number, checksum]))
  const foreign = migrations.find(({ number, checksum }) => knownChecksums.get(number) !== checksum)
  if (foreign === undefined) return
  throw new BackupRejectedError(
    knownChecksums.has(foreign.number)
      ? `migration ${foreign.name} of the backup differs from the one in this program`
      : `the backup has migration ${foreign.name}, which this program does not know: restore with the newer version`,
  )
}

/** PostgreSQL lists a closed connection until its backend process exits: milliseconds, or seconds on a busy machine. */
const DISCONNECT_TIMEOUT_MS = 5_000
const POLL_INTERVAL_MS = 50

/**
 * Throws while servers are connected: they would continue writing to rows whose ids now belong to other data. The
 * embedded database is protected by its folder lock.
 */
async function assertNoServers(tx: Db): Promise<void> {
  if (tx.engine === 'pglite') return
  const endsAt = performance.now() + DISCONNECT_TIMEOUT_MS
  for (;;) {
    const [otherSessions] = await tx.query<{ n: number }>(sql`
      select count(*) as n from pg_stat_activity
      where datname = current_database() and application_name = 'tamngan' and pid <> pg_backend_pid()`)
    if (otherSessions!.n === 0) return
    if (performance.now() > endsAt)
      throw new BackupRejectedError(
        `${otherSessions!.n} connections of a running server: stop all servers and workers first`,
      )
    await sleep(POLL_INTERVAL_MS)
    // Within a transaction, pg_stat_activity is a snapshot of its first read.
    await tx.query(sql`select pg_stat_clear_snapshot()`)
  }
}

/** Throws if the database contains user or imported data. Terms inserted by migrations do not count. */
async function assertEmpty(tx: Db): Promise<void> {
  const present = (await listBackupTables(tx)).map(({ name }) => name)
  for (const table of ['organisations', 'loads', 'projects', 'budget_loads'])
    if (present.includes(table) && (await countTableRows(tx, table)) > 0)
      throw new BackupRejectedError(
        'the database is not empty: restore into an empty one, or add --replace to delete its contents',
      )
}

async function assertSameTables(tx: Db, { tables }: BackupHeader): Promise<void> {
  const actual = (await listBackupTables(tx)).map(({ name, columns }) => JSON.stringify({ name, columns }))
  const expected = tables.map(({ name, columns }) => JSON.stringify({ name, columns }))
  const differing =
    expected.find((table) => !actual.includes(table)) ?? actual.find((table) => !expected.includes(table))
  if (differing !== undefined)
    throw new BackupRejectedError(`the backup does not have the tables of its own migrations: ${differing}`)
}

async function insertRows(
  tx: Db,
  { tables }: BackupHeader,
  next: () => Promise<string | undefined>,
  onProgress: RestoreOptions['onProgress'],
): Promise<void> {
  const byName = new Map(tables.map((table) => [table.name, table]))
  const endedTables = new Set<string>()
  const total = tables.reduce((sum, { rows }) => sum + rows, 0)
  let done = 0
  for (;;) {
    const line = parse<BackupLine>((await next()) ?? '')
    if (line === undefined) throw damaged('it ends too early')
    if ('complete' in line) break
    if ('sequences' in line) {
      for (const sequence of line.sequences) await setSequenceValue(tx, sequence)
      continue
    }
    const table = byName.get('end' in line ? line.end : line.table)
    if (table === undefined) throw damaged('it contains rows of a table that its header does not list')
    if ('end' in line) {
      const { rows, hash } = await checksumTable(tx, table)
      if (rows !== table.rows || rows !== line.rows || hash !== line.hash)
        throw damaged(`table ${table.name} has ${rows} rows and the hash ${hash}, not ${line.rows} and ${line.hash}`)
      endedTables.add(table.name)
      continue
    }
    done += await insertRowBlock(tx, table, line.columns).catch((error: unknown) => Promise.reject(asDamage(error)))
    onProgress?.({ table: table.name, done, total })
  }
  const missing = tables.find(({ name }) => !endedTables.has(name))
  if (missing !== undefined) throw damaged(`table ${missing.name} is missing`)
}

/**
 * Reports only statement errors as damage of the backup, which may be intact if the database is unreachable or out of
 * space (`DbUnavailableError`).
 */
const asDamage = (error: unknown) => (error instanceof StatementError ? damaged(error.message) : error)

const damaged = (detail: string) => new BackupRejectedError(`the backup is damaged: ${detail}`)

function parse<T>(line: string): T | undefined {
  try {
    return JSON.parse(line) as T
  } catch {
    return undefined
  }
}
