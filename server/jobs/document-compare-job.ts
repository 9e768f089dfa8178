import { findChanges } from '#server/features/document/comparison/compare-documents.ts'
import { COMPARE_JOB } from '#server/features/document/queries.ts'
import { notifyDocumentCompared } from '#server/features/notification/create-notifications.ts'
import { defineJob } from '#server/queue/job.ts'

/**
 * After each reading: compares the document with the one that it follows in its project, and tells those of the organisation who starred the project how many
 * clauses are others. The reading asks for it in its own transaction; begun again, it tells nobody twice.
 */
export const documentCompareJob = defineJob<{ id: string }>({
  ...COMPARE_JOB,
  concurrency: 1,
  maxAttempts: 5,
  backoff: { firstMs: 1_000, longestMs: 5 * 60_000 },
  async run({ db, organisationId, now, finish }, { id }) {
    const found = organisationId === undefined ? undefined : await findChanges(db, { id, organisationId })
    return await db.transaction(async (tx) => {
      const told = found ? await notifyDocumentCompared(tx, { ...found, at: now() }) : 0
      await finish(tx)
      return { changes: found?.changes ?? 0, told }
    })
  },
})
