import sql from 'sql-template-tag'
import type { Db } from './db.ts'

/**
 * Spares the checks of references, and what references do on a delete, to the rest of a transaction that has looked up or written every row it refers
 * to. A check is 30 µs for each reference, twice what the row itself takes. Only the embedded database has one session, so that nobody else
 * removes those rows meanwhile; on PostgreSQL this does nothing.
 */
export async function skipReferenceChecks(tx: Db): Promise<void> {
  if (tx.engine === 'pglite') await tx.execute(sql`set local session_replication_role = replica`)
}

/** Checks again, for statements that count on them. */
export async function resumeReferenceChecks(tx: Db): Promise<void> {
  if (tx.engine === 'pglite') await tx.execute(sql`set local session_replication_role = origin`)
}

/**
 * Has the rest of a transaction find rows by their indexes. A load grows its tables faster than their statistics: with those, a batch of 1,000 rows
 * reads whole tables, and 1.4 million projects cost the square of what 200,000 do.
 */
export async function preferIndexes(tx: Db): Promise<void> {
  await tx.execute(sql`set local enable_seqscan = off`)
}
