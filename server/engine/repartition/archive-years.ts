import sql, { raw } from 'sql-template-tag'
import { identifier } from '../backup/backup-tables.ts'
import type { Db } from '../db.ts'
import {
  type CopyOptions,
  copyAndExchange,
  RepartitionRefused,
  type SplitReport,
  validateReferences,
} from './copy-and-exchange.ts'
import { type Copy, OF_TABLE, PARTITIONS_OF, type Part } from './copy-sql.ts'
import { tiesOf } from './exchange-sql.ts'

/** What holds one row or more for each project and grows with every year, the largest first. Its key begins with the project's number, or is that. */
export const ARCHIVED_TABLES = [
  'projects',
  'contracts',
  'project_traits',
  'project_spending',
  'bidders',
  'attachments',
  'announcements',
  'project_changes',
] as const
type ArchivedTable = (typeof ARCHIVED_TABLES)[number]

export type ArchiveRequest = CopyOptions & {
  /** The first year that stays, in the Buddhist era: a number of e-GP begins with the last two digits of the year in which its project was made known. */
  readonly before: number
  /** Of the archive; undefined: where the database lies. */
  readonly tablespace?: string | undefined
}
export type ArchiveFigures = {
  readonly table: ArchivedTable
  readonly rows: number
  /** Whose number is from before the year. */
  readonly older: number
  /** With indexes: of the table, and about how much of that is older. */
  readonly bytes: number
  readonly olderBytes: number
  /** Partitions as they stand, oldest first; empty: one table. */
  readonly partitions: readonly { readonly name: string; readonly bytes: number }[]
}

/** A partition by range of numbers; null: without an end. */
type Range = { readonly name: string; readonly from: string | null; readonly to: string | null }

const FIRST_YEAR = 2500
/** 2564 → '64': numbers of 2563 and before stand before it as texts. */
const cutOf = (year: number): string => String(year - FIRST_YEAR).padStart(2, '0')
const yearOf = (cut: string): number => FIRST_YEAR + Number(cut)
const NO_LIMIT = { timeoutMs: 0 }

/**
 * Divides the tables of projects by number: those from before the year `before` lie in partitions of their own, in files (and a tablespace) that nothing but a late correction writes. Which rows a
 * statement sees is not changed by it, nor what may be written. Tables are copied and exchanged one after the other (`copyAndExchange`); a table of which nothing is older is left alone. Called
 * again for a later year it copies what is younger than the archive alone. Rejects with `RepartitionRefused`.
 */
export async function archiveYears(db: Db, request: ArchiveRequest): Promise<SplitReport> {
  assertPostgres(db)
  const { before, tablespace } = request
  if (!Number.isInteger(before) || before <= FIRST_YEAR || before >= FIRST_YEAR + 100)
    throw new RepartitionRefused(`${before} is no year of the Buddhist era that a number of e-GP could begin with`)
  const copies: Copy[] = []
  for (const table of ARCHIVED_TABLES) {
    const copy = await dividedAt(db, table, cutOf(before))
    if (copy !== undefined) copies.push({ ...copy, tablespace })
  }
  return await copyAll(db, copies, request)
}

/** Makes each of these tables one again. */
export async function dissolveArchive(db: Db, options: CopyOptions): Promise<SplitReport> {
  assertPostgres(db)
  const copies: Copy[] = []
  for (const table of ARCHIVED_TABLES)
    if ((await rangesOf(db, table)) !== undefined) copies.push({ table, source: table, by: undefined, parts: [] })
  return await copyAll(db, copies, options)
}

/** How much is older than the year, and how the tables lie now. Reads each of them once. */
export async function archiveFigures(db: Db, before: number): Promise<{ tables: ArchiveFigures[]; delivered: number }> {
  const tables: ArchiveFigures[] = []
  const cut = cutOf(before)
  for (const table of ARCHIVED_TABLES) {
    const [rows] = await db.query<{ rows: number; older: number }>(
      sql`select count(*) as rows, count(*) filter (where project_id < ${cut}::text) as older from ${identifier(table)}`,
      NO_LIMIT,
    )
    const [size] = await db.query<{ bytes: number }>(sql`select pg_total_relation_size(${OF_TABLE(table)}) as bytes`)
    const partitions = await db.query<{ name: string; bytes: number }>(sql`
      select c.oid::regclass::text as name, pg_total_relation_size(c.oid) as bytes from ${PARTITIONS_OF(table)} order by b.bound ~ 'MINVALUE' desc, 1`)
    const bytes = size!.bytes + partitions.reduce((sum, one) => sum + one.bytes, 0)
    const olderBytes = rows!.rows === 0 ? 0 : Math.round((bytes * rows!.older) / rows!.rows)
    tables.push({ table, ...rows!, bytes, olderBytes, partitions })
  }
  const [delivered] = await db.query<{ n: number }>(
    sql`select count(*) as n from projects where project_id < ${cut}::text and is_archived`,
    NO_LIMIT,
  )
  return { tables, delivered: delivered!.n }
}

async function copyAll(db: Db, copies: readonly Copy[], options: CopyOptions): Promise<SplitReport> {
  for (const { table, source } of copies) {
    const why = table === source ? await tiesOf(db, table) : undefined
    if (why !== undefined)
      throw new RepartitionRefused(`${table} has ${why} that would not come with it: nothing was changed`)
  }
  // A call that was killed may have left references that were never validated.
  await validateReferences(db, ARCHIVED_TABLES, options.signal)
  return await copyAndExchange(db, copies, options)
}

/** The copy that divides the table at this number. Undefined when it is divided there already, or holds nothing older. */
async function dividedAt(db: Db, table: ArchivedTable, cut: string): Promise<Copy | undefined> {
  const [older] = await db.query(
    sql`select from ${identifier(table)} where project_id < ${cut}::text limit 1`,
    NO_LIMIT,
  )
  if (older === undefined) return undefined
  const ranges = await rangesOf(db, table)
  const whole = { name: table, from: null, to: null }
  const range = ranges === undefined ? whole : await rangeAround(db, ranges, cut)
  if (range === undefined) return undefined
  const parts = [
    { ...range, to: cut },
    { ...range, from: cut },
  ].map((one) => partOf(table, one))
  return { table, source: range.name, by: 'range (project_id)', parts }
}

/** The one that this number divides; asked of the database, which knows in which order it holds texts. */
async function rangeAround(db: Db, ranges: readonly Range[], cut: string): Promise<Range | undefined> {
  for (const range of ranges) {
    const [row] = await db.query<{ is: boolean }>(sql`
      select coalesce(${range.from}::text < ${cut}::text, true) and coalesce(${cut}::text < ${range.to}::text, true) as is`)
    if (row!.is) return range
  }
  return undefined
}

function partOf(table: string, { from, to }: Omit<Range, 'name'>): Part {
  const name = [table, ...(from === null ? [] : ['from', yearOf(from)]), ...(to === null ? [] : ['before', yearOf(to)])]
  const conditions = [
    ...(from === null ? [] : [`project_id >= '${from}'`]),
    ...(to === null ? [] : [`project_id < '${to}'`]),
  ]
  const end = (value: string | null, open: string) => (value === null ? open : `'${value}'`)
  return {
    name: name.join('_'),
    bound: `from (${end(from, 'minvalue')}) to (${end(to, 'maxvalue')})`,
    place: conditions.join(' and '),
  }
}

/** Its partitions; undefined: it is one table. Rejects when it is partitioned in a way that is not ours. */
async function rangesOf(db: Db, table: string): Promise<Range[] | undefined> {
  const [kind] = await db.query<{ by: string }>(sql`
    select pg_get_partkeydef(p.partrelid) as by from pg_partitioned_table p where p.partrelid = ${OF_TABLE(table)}`)
  if (kind === undefined) return undefined
  const end = (which: 'FROM' | 'TO') => raw(`substring(b.bound from '${which} \\(''([0-9]{2})''\\)')`)
  const ranges = await db.query<Range & { isOurs: boolean }>(sql`
    select c.relname::text as name, ${end('FROM')} as "from", ${end('TO')} as "to",
      b.bound ~ '^FOR VALUES FROM \\((MINVALUE|''[0-9]{2}'')\\) TO \\((MAXVALUE|''[0-9]{2}'')\\)$' as "isOurs"
    from ${PARTITIONS_OF(table)} order by 2 nulls first`)
  if (kind.by !== 'RANGE (project_id)' || ranges.some(({ isOurs }) => !isOurs))
    throw new RepartitionRefused(`${table} is partitioned in another way (${kind.by}): it is left alone`)
  return ranges
}

function assertPostgres(db: Db): void {
  if (db.engine !== 'postgres')
    throw new RepartitionRefused('the embedded database is one folder and has no archive: this is for PostgreSQL')
}
