import sql from 'sql-template-tag'
import type { Db } from './db.ts'

/**
 * Skips foreign key checks and cascades for the rest of a transaction. The transaction must have looked up or written
 * every row it references. A check costs 30 µs per reference, twice the row itself. Works only on the embedded
 * database, whose single session rules out concurrent deletes of those rows; no-op on PostgreSQL.
 */
export async function skipForeignKeyChecks(tx: Db): Promise<void> {
  if (tx.engine === 'pglite') await tx.execute(sql`set local session_replication_role = replica`)
}

export async function resumeForeignKeyChecks(tx: Db): Promise<void> {
  if (tx.engine === 'pglite') await tx.execute(sql`set local session_replication_role = origin`)
}

/**
 * Disables sequential scans for the rest of the transaction. A load grows tables faster than their statistics; with
 * stale ones, a batch of 1,000 rows reads whole tables and the cost grows quadratically (1.4 million projects against
 * 200,000).
 */
export async function preferIndexScans(tx: Db): Promise<void> {
  await tx.execute(sql`set local enable_seqscan = off`)
}
