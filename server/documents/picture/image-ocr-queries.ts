import sql from 'sql-template-tag'
import { z } from 'zod/mini'
import type { DocumentFileType, OcrFailureReason } from '#contract/documents/project-document.ts'
import { OPERATOR_ORGANISATION_CODE } from '#contract/reserved-organisations.ts'
import { foldDocumentText, getFoldedTextTrigrams } from '#contract/thai/fold-document-text.ts'
import { isDamagedText } from '#server/documents/text/text-damage.ts'
import { hasTooLittleThaiText } from '#server/documents/text/thai-marks.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { enqueueSingleJob } from '#server/platform/queue/enqueue-jobs.ts'
import type { JobType } from '#server/platform/queue/job.ts'
import type { findOcrFacts } from './find-ocr-facts.ts'

/**
 * Job that runs OCR on the scanned pages of a file. Its key is the file hash, so the same file is never read
 * concurrently.
 */
const payload = z.object({ hash: z.string() })
export const IMAGE_OCR_JOB_TYPE: JobType<z.output<typeof payload>> = { kind: 'document-picture', payload }

/**
 * Default OCR pages per day, per organisation and in total (operators override it with `set-limit CODE picture-pages`).
 */
export const DAILY_OCR_PAGES_PER_ORGANISATION = 300
const DAILY_PAGES_TOTAL = 1_500

export type DocumentAwaitingOcr = {
  readonly id: string
  readonly organisationId: number
  readonly type: DocumentFileType
  readonly state: string
  readonly isFetched: boolean
  readonly done: number
}

export async function requestImageOcr(tx: Db, ids: readonly string[], at: Date): Promise<number> {
  const queued = await tx.query<{ hash: string; organisationId: number }>(sql`
    update documents set picture_state = 'waiting', picture_reason = null, picture_done = 0, picture_failed = 0
    where id = any (${ids}::text[]) and picture_total > 0 and (picture_state is null or picture_state = 'failed')
    returning hash, organisation_id as "organisationId"`)
  for (const { hash, organisationId } of queued)
    await enqueueSingleJob(tx, IMAGE_OCR_JOB_TYPE, {
      key: hash,
      dedupeKey: hash,
      payload: { hash },
      organisationId,
      at,
    })
  return queued.length
}

export const findDocumentsAwaitingOcr = (db: Db, hash: string): Promise<DocumentAwaitingOcr[]> =>
  db.query(sql`
    select id, organisation_id as "organisationId", type, state, link is not null as "isFetched", picture_done as done from documents
    where hash = ${hash} and picture_state = 'waiting' order by id`)

export async function resetImageOcr(tx: Db, id: string): Promise<void> {
  await tx.execute(sql`update document_pages set is_from_picture = false where document_id = ${id} and is_from_picture`)
}

export async function findNextOcrPage(db: Db, id: string): Promise<number | undefined> {
  const rows = await db.query<{ page: number; text: string }>(sql`
    select page, text from document_pages where document_id = ${id} and not is_from_picture and length(folded) < 4000 order by page`)
  return rows.find(({ text }) => hasTooLittleThaiText(text))?.page
}

/**
 * Returns the OCR text of the same page of a public e-GP file, whichever organisation caused it to be read. Uploaded
 * files are read once per organisation, so that no organisation learns that another has the same file (decision 0055).
 */
export async function findFetchedPageText(db: Db, hash: string, page: number): Promise<string | undefined> {
  const [row] = await db.query<{ text: string }>(sql`
    select p.text from documents d join document_pages p on p.document_id = d.id
    where d.hash = ${hash} and d.link is not null and p.page = ${page}::int and p.is_from_picture and d.picture_state = 'done' limit 1`)
  return row?.text
}

/**
 * Stores the OCR text of a page unless the existing text is undamaged and longer. `isPaid` pages count towards the
 * daily limit.
 */
export async function saveOcrText(
  tx: Db,
  { id, organisationId }: Pick<DocumentAwaitingOcr, 'id' | 'organisationId'>,
  page: number,
  reading: {
    readonly text: string
    readonly reason: OcrFailureReason | null
    readonly isPaid: boolean
    readonly day: string
  },
): Promise<void> {
  const text = reading.text.replaceAll('\0', ' ').toWellFormed()
  const { folded } = foldDocumentText(text)
  const trigrams = [-organisationId, ...getFoldedTextTrigrams(folded)]
  const [stored] = await tx.query<{ text: string }>(
    sql`select text from document_pages where document_id = ${id} and page = ${page}::int`,
  )
  // Damaged text is as long as correct text, so the length alone cannot decide which text to keep.
  const isDamage = stored !== undefined && folded !== '' && isDamagedText(stored.text)
  const updatedRows = await tx.execute(sql`
    update document_pages p set is_from_picture = true,
      text = case when b.is_better then ${text} else p.text end,
      folded = case when b.is_better then ${folded} else p.folded end,
      trigrams = case when b.is_better then ${trigrams}::int[] else p.trigrams end
    from (select ${isDamage}::boolean or length(folded) < length(${folded}) as is_better from document_pages where document_id = ${id} and page = ${page}::int) b
    where p.document_id = ${id} and p.page = ${page}::int and not p.is_from_picture`)
  if (updatedRows === 0) return
  await tx.execute(sql`
    update documents set picture_done = picture_done + 1, picture_failed = picture_failed + ${reading.reason === null ? 0 : 1}::int,
      picture_reason = coalesce(${reading.reason}, nullif(picture_reason, 'day-limit'))
    where id = ${id}`)
  if (!reading.isPaid) return
  await tx.execute(sql`
    insert into picture_days (organisation_id, day, pages) values (${organisationId}::int, ${reading.day}::date, 1)
    on conflict (organisation_id, day) do update set pages = picture_days.pages + 1`)
}

export async function loadDocumentTexts(db: Db, id: string): Promise<string[]> {
  const rows = await db.query<{ text: string }>(
    sql`select text from document_pages where document_id = ${id} order by page`,
  )
  return rows.map(({ text }) => text)
}

/**
 * Completes a document; its state becomes `failed` if most of its pages could not be read. `pictureFacts` are the kind
 * and facts of a pure scan; a document with native text keeps its own facts.
 */
export async function finishImageOcr(
  tx: Db,
  id: string,
  pictureFacts: ReturnType<typeof findOcrFacts> | undefined,
  at: Date,
): Promise<void> {
  const factColumns = pictureFacts
    ? sql`kind = ${pictureFacts.kind}, facts = ${JSON.stringify(pictureFacts.facts).replaceAll('\\u0000', ' ')}::jsonb`
    : sql`kind = kind`
  await tx.execute(sql`
    update documents set picture_state = case when picture_failed > 0 and picture_failed >= picture_done then 'failed' else 'done' end,
      read_at = ${at.toISOString()}::timestamptz, ${factColumns}
    where id = ${id} and picture_state = 'waiting'`)
}

export async function failImageOcr(tx: Db, hash: string, reason: OcrFailureReason): Promise<void> {
  await tx.execute(sql`
    update documents set picture_state = 'failed', picture_reason = ${reason} where hash = ${hash} and picture_state = 'waiting'`)
}

export async function postponeImageOcr(tx: Db, hash: string): Promise<void> {
  await tx.execute(sql`
    update documents set picture_reason = 'day-limit' where hash = ${hash} and picture_state = 'waiting'`)
}

export async function countOcrPagesForDay(
  db: Db,
  day: string,
): Promise<{ readonly read: number; readonly limit: number }> {
  const [row] = await db.query<{ read: number; most: number | null }>(sql`
    select (select coalesce(sum(pages), 0)::int from picture_days where day = ${day}::date) as read,
      (select (customer_config ->> 'limit_picture_pages')::int from organisations where code = ${OPERATOR_ORGANISATION_CODE}) as most`)
  return { read: row!.read, limit: row!.most ?? DAILY_PAGES_TOTAL }
}

export async function findOrganisationsWithOcrQuota(
  db: Db,
  organisations: readonly number[],
  day: string,
): Promise<ReadonlySet<number>> {
  const total = await countOcrPagesForDay(db, day)
  if (total.read >= total.limit) return new Set()
  const rows = await db.query<{ id: number }>(sql`
    select o.id from organisations o left join picture_days p on p.organisation_id = o.id and p.day = ${day}::date
    where o.id = any (${organisations}::int[])
      and coalesce(p.pages, 0) < coalesce((o.customer_config ->> 'limit_picture_pages')::int, ${DAILY_OCR_PAGES_PER_ORGANISATION}::int)`)
  return new Set(rows.map(({ id }) => id))
}

export async function countImagesAwaitingOcr(db: Db): Promise<{ readonly documents: number; readonly pages: number }> {
  const [row] = await db.query<{ documents: number; pages: number }>(sql`
    select count(*)::int as documents, coalesce(sum(picture_total - picture_done), 0)::int as pages from documents where picture_state = 'waiting'`)
  return row!
}

export async function pruneDailyOcrPageCounts(db: Db, day: string): Promise<void> {
  await db.execute(sql`delete from picture_days where day < ${day}::date - 40`)
}
