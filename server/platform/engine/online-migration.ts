import { setTimeout as sleep } from 'node:timers/promises'
import sql from 'sql-template-tag'
import type { Db } from './db.ts'

/**
 * First line of a migration whose indexes are built without blocking reads and writes: outside a transaction, one
 * statement at a time.
 */
export const ONLINE_MIGRATION_MARKER = '-- online'
/** Arbitrary advisory lock id. The process that has this lock builds the indexes. */
const BUILDER_LOCK = 71_105
const POLL_INTERVAL_MS = 500
const STATEMENT = /^create (unique )?index concurrently ([a-z0-9_]+) on ([a-z0-9_]+) ([^;]+)$/

type Build = { readonly unique: string; readonly name: string; readonly table: string; readonly rest: string }

/**
 * Builds the indexes of an `-- online` migration, whose statements all have the form `create index concurrently NAME on
 * TABLE (…)`, then calls `record`. Partitioned tables are built one partition at a time. Existing indexes are skipped;
 * half-built ones left by a killed start are rebuilt. Several processes may call this at once: one builds, the others
 * wait for `isDone`. The embedded database (single session) and a restore (`isExclusive`) build inside a transaction.
 */
export async function buildIndexesOnline(
  db: Db,
  text: string,
  {
    record,
    isDone,
    isExclusive = false,
  }: { record(tx: Db): Promise<void>; isDone(): Promise<boolean>; isExclusive?: boolean },
): Promise<void> {
  const builds = parseCreateIndexStatements(text)
  if (isExclusive || db.engine === 'pglite') {
    await db.transaction(
      async (tx) => {
        for (const { unique, name, table, rest } of builds)
          await tx.script(`create ${unique}index if not exists ${name} on ${table} ${rest}`)
        await record(tx)
      },
      { idleTimeoutMs: 0 },
    )
    return
  }
  while (!(await isDone())) {
    const isOurs = await withBuilderLock(db, async () => {
      for (const build of builds) await buildOne(db, build)
      await db.transaction(record)
    })
    if (isOurs) return
    await sleep(POLL_INTERVAL_MS)
  }
}

/**
 * Runs `work` while a separate transaction holds the lock. That transaction stays idle without a snapshot, because the
 * index build would wait for a transaction that has one. Returns false if another process is building.
 */
async function withBuilderLock(db: Db, work: () => Promise<void>): Promise<boolean> {
  const acquired = Promise.withResolvers<boolean>()
  const done = Promise.withResolvers<void>()
  const lockTransaction = db.transaction(
    async (tx) => {
      const [lock] = await tx.query<{ is: boolean }>(sql`select pg_try_advisory_xact_lock(${BUILDER_LOCK}) as is`)
      // The snapshot of a statement lives until the next statement; only one sent by the simple protocol leaves none.
      await tx.script('select 1')
      acquired.resolve(lock!.is)
      if (lock!.is) await done.promise
    },
    { idleTimeoutMs: 0 },
  )
  lockTransaction.catch(acquired.reject)
  try {
    const isOurs = await acquired.promise
    if (isOurs) await work()
    return isOurs
  } finally {
    done.resolve()
    await lockTransaction
  }
}

async function buildOne(db: Db, { unique, name, table, rest }: Build): Promise<void> {
  const partitions = await db.query<{ name: string; isBuilt: boolean }>(sql`
    select quote_ident(c.relname) as name, exists (
      select from pg_index x join pg_inherits a on a.inhrelid = x.indexrelid where x.indrelid = c.oid and a.inhparent = to_regclass(${name}::text)) as "isBuilt"
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = to_regclass(${table}::text) order by 1`)
  if (partitions.length === 0)
    return await buildConcurrently(db, name, `create ${unique}index concurrently ${name} on ${table} ${rest}`)
  // The parent index stays invalid and unused until every partition has its index.
  await db.script(`create ${unique}index if not exists ${name} on only ${table} ${rest}`)
  for (const partition of partitions.filter(({ isBuilt }) => !isBuilt)) {
    const indexName = `${partition.name}_${name.replace(`${table}_`, '')}`
    await buildConcurrently(
      db,
      indexName,
      `create ${unique}index concurrently ${indexName} on ${partition.name} ${rest}`,
    )
    await db.script(`alter index ${name} attach partition ${indexName}`)
  }
}

async function buildConcurrently(db: Db, name: string, statement: string): Promise<void> {
  const [index] = await db.query<{ isValid: boolean }>(
    sql`select indisvalid as "isValid" from pg_index where indexrelid = to_regclass(${name}::text)`,
  )
  if (index?.isValid) return
  if (index !== undefined) await db.script(`drop index concurrently ${name}`)
  await db.script(statement)
}

/**
 * Parses the index builds of a migration. Throws for any other statement, because only index builds may run outside a
 * transaction.
 */
export function parseCreateIndexStatements(text: string): Build[] {
  const statements = text
    .replaceAll(/--[^\n]*/g, '')
    .split(';')
    .map((statement) => statement.trim().replaceAll(/\s+/g, ' '))
    .filter((statement) => statement !== '')
  return statements.map((statement) => {
    const match = STATEMENT.exec(statement)
    if (match === null)
      throw new Error(
        `an online migration may contain only "create index concurrently NAME on TABLE (…)", in lower case: ${statement}`,
      )
    const [, unique = '', name, table, rest] = match
    return { unique, name: name!, table: table!, rest: rest! }
  })
}
