import sql, { type Sql } from 'sql-template-tag'
import { addDays, getBangkokToday } from '#contract/thai/thai-date.ts'
import { SAVED_FILTER_MATCH_JOB_TYPE } from '#server/documents/queries.ts'
import type { DocumentStore } from '#server/documents/store/document-store.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { enqueueSingleJob } from '#server/platform/queue/enqueue-jobs.ts'
import { defineJob, type JobContext, JobPostponedError } from '#server/platform/queue/job.ts'
import {
  type DocumentAwaitingOcr,
  failImageOcr,
  findDocumentsAwaitingOcr,
  findFetchedPageText,
  findNextOcrPage,
  findOrganisationsWithOcrQuota,
  finishImageOcr,
  IMAGE_OCR_JOB_TYPE,
  loadDocumentTexts,
  postponeImageOcr,
  pruneDailyOcrPageCounts,
  requestImageOcr,
  resetImageOcr,
  saveOcrText,
} from './image-ocr-queries.ts'
import type { OcrResult, readOcrFacts } from './read-page-images.ts'

export type ImageOcrDependencies = {
  readonly pictures:
    | {
        readonly store: DocumentStore
        readonly read: (
          where: { readonly file: string; readonly page: number },
          signal: AbortSignal,
        ) => Promise<OcrResult>
        readonly facts: typeof readOcrFacts
      }
    | undefined
}

/** Pages read before yielding to other jobs; a file of 500 pages takes most of an hour. */
const PAGES_PER_RUN = 20
const TRACKED_BATCH_SIZE = 200

const IS_TRACKED: Sql = sql`(
  exists (select from bookmarks b join users u on u.id = b.user_id where b.project_id = m.project_id and u.organisation_id = m.organisation_id)
  or exists (select from documents d where d.project_id = m.project_id and d.organisation_id = m.organisation_id and d.link is null)
  or exists (select from pursuits p where p.project_id = m.project_id and p.organisation_id = m.organisation_id)
  or exists (select from follows f where f.kind = 'project' and f.key = m.project_id and f.organisation_id = m.organisation_id))`

export async function requestImageOcrForTrackedProjects(tx: Db, at: Date, hash?: string): Promise<number> {
  const documents = await tx.query<{ id: string }>(sql`
    select m.id from documents m
    where m.picture_total > 0 and m.picture_state is null and (${hash ?? null}::text is null or m.hash = ${hash ?? null}) and ${IS_TRACKED}
    order by m.added_at desc limit ${TRACKED_BATCH_SIZE}::int`)
  return await requestImageOcr(
    tx,
    documents.map(({ id }) => id),
    at,
  )
}

/**
 * Runs OCR on the scanned pages of a file one by one and stores each immediately, so a restarted worker resumes at the
 * current page. Daily limits apply per organisation and in total; the remaining pages wait for the next day.
 */
export const imageOcrJob = defineJob<{ hash: string }, ImageOcrDependencies>({
  ...IMAGE_OCR_JOB_TYPE,
  concurrency: 1,
  servesByOrganisation: true,
  maxAttempts: 8,
  backoff: { firstMs: 1_000, maxMs: 5 * 60_000 },
  async run(context, { hash }) {
    const { db, parts, now, confirm } = context
    for (let pages = 0; ; pages++) {
      const rows = await findDocumentsAwaitingOcr(db, hash)
      if (rows.length === 0) return { pages }
      if (!parts.pictures) {
        await db.transaction((tx) => failImageOcr(tx, hash, 'not-set-up'))
        return { did: 'not-set-up' }
      }
      const day = getBangkokToday(now())
      const organisations = await findOrganisationsWithOcrQuota(
        db,
        rows.map(({ organisationId }) => organisationId),
        day,
      )
      const row = rows.find(({ organisationId }) => organisations.has(organisationId))
      if (!row) {
        await db.transaction(async (tx) => {
          await confirm(tx)
          await postponeImageOcr(tx, hash)
        })
        throw new JobPostponedError(new Date(`${addDays(day, 1)}T00:00:00+07:00`))
      }
      if (row.done === 0) await resetImageOcr(db, row.id)
      const page = await findNextOcrPage(db, row.id)
      if (page === undefined) await finishDocument(context, row)
      else if (pages >= PAGES_PER_RUN) throw new JobPostponedError(now())
      else await readPage(context, { hash, row, page, day })
    }
  },
  async prune(db, now) {
    await pruneDailyOcrPageCounts(db, getBangkokToday(now))
  },
  async died(tx, { hash }) {
    await failImageOcr(tx, hash, 'crashed')
  },
})

type Page = { readonly hash: string; readonly row: DocumentAwaitingOcr; readonly page: number; readonly day: string }

async function readPage(context: JobContext<ImageOcrDependencies>, { hash, row, page, day }: Page): Promise<void> {
  const { db, parts, signal, confirm } = context
  const { store, read } = parts.pictures!
  const fetchedText = row.isFetched ? await findFetchedPageText(db, hash, page) : undefined
  const reading: OcrResult =
    fetchedText === undefined
      ? await store.withFile(hash, (file) => read({ file, page }, signal))
      : { text: fetchedText }
  await db.transaction(async (tx) => {
    await confirm(tx)
    await saveOcrText(tx, row, page, { text: '', reason: null, ...reading, isPaid: fetchedText === undefined, day })
  })
}

async function finishDocument(
  context: JobContext<ImageOcrDependencies>,
  { id, organisationId, state }: DocumentAwaitingOcr,
): Promise<void> {
  const { db, parts, now, signal, confirm } = context
  const pages = await loadDocumentTexts(db, id)
  const pictureFacts = state === 'scan' ? await parts.pictures!.facts(pages, signal) : undefined
  await db.transaction(async (tx) => {
    await confirm(tx)
    await finishImageOcr(tx, id, pictureFacts, now())
    await enqueueSingleJob(tx, SAVED_FILTER_MATCH_JOB_TYPE, { key: id, payload: { id }, organisationId, at: now() })
  })
}
