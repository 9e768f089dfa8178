import sql, { empty, type Sql } from 'sql-template-tag'
import { UPLOAD_REJECTION_REASONS } from '#contract/documents/project-document.ts'
import { DEMO_ORGANISATION_CODE } from '#contract/reserved-organisations.ts'
import { notifyDocumentChanged } from '#server/account/notification/create-notifications.ts'
import { IS_TRACKED_PROJECT_SQL } from '#server/catalogue/intake/document-links.ts'
import { type DocumentRoundDependencies, runDocumentRound } from '#server/catalogue/intake/run-document-round.ts'
import { DOCUMENT_JOB_TYPE, lockDocumentFile } from '#server/documents/queries.ts'
import { isDocumentRetentionExpiredSql } from '#server/documents/retention.ts'
import { DocumentRejectedError, type DocumentStore, type IncomingFile } from '#server/documents/store/document-store.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { enqueueJobs, enqueueSingleJob } from '#server/platform/queue/enqueue-jobs.ts'

/** SQL expression: display name of a fetched document, since e-GP's own names are numbers. */
const DISPLAY_NAME = sql`
  (case l.type when 'D0' then 'ประกาศเชิญชวน' else 'ร่างประกาศและขอบเขตของงาน' end
    || case when v.version > 1 then ' ฉบับที่ ' || v.version else '' end || '.' || v.type)`
/**
 * Documents are shared for this many days. Older ones are of no use to an organisation that starts matching the project
 * later.
 */
const SHARING_WINDOW_DAYS = 120

/**
 * Shares the newest version of each link with every organisation that has the project in its report, and enqueues its
 * reading. Drafts are shared only with organisations that follow the project: a draft is fetched because some
 * organisation follows it, and others must not learn that.
 */
async function shareDocuments(tx: Db, at: Date, only: Sql = empty): Promise<void> {
  const shared = await tx.query<{ hash: string }>(
    sql`
    insert into documents (id, organisation_id, project_id, hash, type, name, bytes, added_at, link, fetched_at)
    select gen_random_uuid()::text, m.organisation_id, l.project_id, v.hash, v.type, ${DISPLAY_NAME}, v.bytes, v.fetched_at, l.link, v.fetched_at
    from intake_links l
    join lateral (select * from intake_versions v where v.link_id = l.id order by v.version desc limit 1) v on true
    join project_matches m on m.project_id = l.project_id
    join organisations o on o.id = m.organisation_id and not o.is_disabled and o.code <> ${DEMO_ORGANISATION_CODE}
    where not ${isDocumentRetentionExpiredSql(sql`v.fetched_at`, at)} and l.published_on > ${at.toISOString()}::date - ${SHARING_WINDOW_DAYS}::int and (l.type = 'D0' or ${IS_TRACKED_PROJECT_SQL}) ${only}
      and not exists (select from documents d where d.organisation_id = m.organisation_id and d.project_id = l.project_id and d.hash = v.hash)
    on conflict (organisation_id, project_id, hash) do nothing returning hash`,
    { timeoutMs: 0 },
  )
  const hashes = [...new Set(shared.map(({ hash }) => hash))]
  if (hashes.length > 0)
    await enqueueJobs(
      tx,
      DOCUMENT_JOB_TYPE,
      hashes.map((hash) => ({ key: hash, payload: { hash }, at })),
    )
}

const CLEANUP_DELAY_MS = 10 * 60_000

type Parts = Omit<DocumentRoundDependencies, 'receive' | 'expect' | 'storeFile' | 'share'> & {
  readonly store: DocumentStore
}

/** Runs one turn of the source `egp-documents`. Its files go to the same store as uploads, under the same hash. */
export async function fetchEgpDocuments(db: Db, { store, ...parts }: Parts) {
  const arrived = new Map<string, IncomingFile>()
  return await runDocumentRound(db, {
    ...parts,
    async receive(content) {
      try {
        const file = await store.receive(content)
        arrived.clear()
        arrived.set(file.hash, file)
        return file
      } catch (error) {
        if (error instanceof DocumentRejectedError) return { refused: UPLOAD_REJECTION_REASONS[error.reason] }
        throw error
      }
    },
    async expect({ hash }) {
      const at = parts.clock.now()
      const runAt = new Date(at.getTime() + CLEANUP_DELAY_MS)
      await enqueueSingleJob(db, DOCUMENT_JOB_TYPE, { key: hash, dedupeKey: hash, payload: { hash }, at, runAt })
    },
    async storeFile(tx, link, { hash }, version) {
      const at = parts.clock.now()
      await lockDocumentFile(tx, hash)
      await shareDocuments(tx, at, sql`and l.id = ${link.id}::bigint`)
      if (version > 1) await notifyDocumentChanged(tx, link.projectId, `${link.id}/${version}`, at)
      // Store the file under the lock and before its row becomes visible, as for every added file.
      await arrived.get(hash)!.persist()
    },
    share: (tx) => shareDocuments(tx, parts.clock.now()),
  })
}
