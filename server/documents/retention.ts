import sql, { type Sql } from 'sql-template-tag'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { enqueueJobs } from '#server/platform/queue/enqueue-jobs.ts'
import { DOCUMENT_JOB_TYPE } from './queries.ts'

const DOCUMENT_BATCH_SIZE = 200

/** SQL expression: retention in days of organisation `o` (`set-limit CODE document-days`); null means unlimited. */
const DOCUMENT_RETENTION_DAYS_SQL = sql`nullif((o.customer_config ->> 'limit_document_days')::int, 0)`

/** SQL condition: the retention of organisation `o` has expired for an item stored at `since`. Never null. */
export const isDocumentRetentionExpiredSql = (since: Sql, at: Date): Sql =>
  sql`coalesce(${since} < ${at.toISOString()}::timestamptz - make_interval(days => ${DOCUMENT_RETENTION_DAYS_SQL}), false)`

type ExpiredDocument = { readonly id: string; readonly organisation_id: number; readonly days: number }

/**
 * Deletes documents past their organisation's retention: row, text, trigrams, facts, and members of a bundle. One
 * transaction per organisation also queues each file's job and writes an audit row. Documents of an open tender remain
 * until the submission day is over. Returns the number of deleted documents.
 */
export async function deleteExpiredDocuments(db: Db, at: Date): Promise<number> {
  let deletedCount = 0
  for (;;) {
    const expired = await db.query<ExpiredDocument>(sql`
      select d.id, d.organisation_id, ${DOCUMENT_RETENTION_DAYS_SQL} as days from documents d join organisations o on o.id = d.organisation_id
      where d.bundle_id is null and ${isDocumentRetentionExpiredSql(sql`d.added_at`, at)}
        and not exists (
          select from projects p where p.project_id = d.project_id
            and p.submission_ends_on >= (${at.toISOString()}::timestamptz at time zone 'Asia/Bangkok')::date)
      order by d.organisation_id, d.added_at limit ${DOCUMENT_BATCH_SIZE}::int`)
    for (const [organisationId, documents] of Map.groupBy(expired, ({ organisation_id: id }) => id))
      deletedCount += await db.transaction((tx) => deleteExpired(tx, organisationId, documents, at))
    if (expired.length < DOCUMENT_BATCH_SIZE) return deletedCount
  }
}

async function deleteExpired(
  tx: Db,
  organisationId: number,
  expired: readonly ExpiredDocument[],
  at: Date,
): Promise<number> {
  const ids = expired.map(({ id }) => id)
  const deletedRows = await tx.query<{ hash: string; bytes: number }>(sql`
    delete from documents where organisation_id = ${organisationId}::int and (id = any (${ids}::text[]) or bundle_id = any (${ids}::text[]))
    returning hash, bytes`)
  if (deletedRows.length === 0) return 0
  const hashes = [...new Set(deletedRows.map(({ hash }) => hash))]
  await enqueueJobs(
    tx,
    DOCUMENT_JOB_TYPE,
    hashes.map((hash) => ({ key: hash, payload: { hash }, organisationId, at })),
  )
  await recordAuditEvent(tx, {
    kind: 'documents_expired',
    at,
    organisationId,
    address: 'document job',
    requestId: '-',
    detail: {
      documents: deletedRows.length,
      bytes: deletedRows.reduce((sum, { bytes }) => sum + bytes, 0),
      kept_days: expired[0]!.days,
    },
  })
  return deletedRows.length
}
