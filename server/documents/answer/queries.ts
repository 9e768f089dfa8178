import sql from 'sql-template-tag'
import type { CitationLocation } from '#contract/documents/document-answer.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { QuestionWord } from './question-words.ts'

/** Maximum pages read, newest documents first; this limits a question to about 0.2 s. */
const MAX_PAGES_READ = 2_000

export type AnswerCandidatePage = CitationLocation & {
  readonly hits: readonly number[]
}

/**
 * Returns pages with text from the organisation's documents on one project, newest document first, each with the words
 * of the question that occur on it. Skips OCR text, whose digits are unreliable, and documents that may belong to
 * another project.
 */
export function findAnswerCandidatePages(
  db: Db,
  organisationId: number,
  projectId: string,
  words: readonly QuestionWord[],
  mismatched: readonly string[],
): Promise<AnswerCandidatePage[]> {
  return db.query<AnswerCandidatePage>(sql`
    select p.document_id, p.name as document_name, p.page,
      array(select w.at - 1 from json_array_elements_text(${JSON.stringify(words.map(({ folded }) => folded))}::json) with ordinality w (word, at)
        where position(w.word in p.folded) > 0 order by w.at)::int[] as hits
    from (
      select p.document_id, d.name, p.page, p.folded, d.added_at
      from documents d join document_pages p on p.document_id = d.id
      where d.organisation_id = ${organisationId}::int and p.organisation_id = ${organisationId}::int and d.project_id = ${projectId}
        and d.id <> all (${[...mismatched]}::text[]) and not p.is_from_picture and p.folded <> ''
      order by d.added_at desc, d.id, p.page limit ${MAX_PAGES_READ}::int
    ) p
    order by p.added_at desc, p.document_id, p.page`)
}

export async function loadPageTexts(
  db: Db,
  organisationId: number,
  pageReferences: readonly CitationLocation[],
): Promise<(CitationLocation & { readonly text: string })[]> {
  const rows = await db.query<{ document_id: string; page: number; text: string }>(sql`
    select p.document_id, p.page, p.text from document_pages p
    join json_to_recordset(${JSON.stringify(pageReferences)}::json) as w (document_id text, page int) on w.document_id = p.document_id and w.page = p.page
    where p.organisation_id = ${organisationId}::int`)
  return pageReferences.flatMap((pageReference) => {
    const row = rows.find(
      ({ document_id, page }) => document_id === pageReference.document_id && page === pageReference.page,
    )
    return row ? [{ ...pageReference, text: row.text }] : []
  })
}

export type DocumentAnswerConsent = {
  /** Null if the organisation never consented or withdrew its consent. */
  readonly host: string | null
  readonly model: string | null
  readonly asked: number
}

export async function loadDocumentAnswerConsent(
  db: Db,
  organisationId: number,
  day: string,
): Promise<DocumentAnswerConsent> {
  const [row] = await db.query<DocumentAnswerConsent>(sql`
    select host, model, case when asked_on = ${day}::date then asked else 0 end as asked
    from document_answers where organisation_id = ${organisationId}::int`)
  return row ?? { host: null, model: null, asked: 0 }
}

export async function storeDocumentAnswerConsent(
  tx: Db,
  organisationId: number,
  agreed: { readonly host: string; readonly model: string } | undefined,
): Promise<void> {
  await tx.execute(sql`
    insert into document_answers (organisation_id, host, model) values (${organisationId}::int, ${agreed?.host ?? null}, ${agreed?.model ?? null})
    on conflict (organisation_id) do update set host = excluded.host, model = excluded.model`)
}

/**
 * Counts one question for that day; returns false if the limit is reached. The row lock serialises concurrent
 * questions.
 */
export async function consumeQuestionQuota(
  db: Db,
  organisationId: number,
  day: string,
  dailyLimit: number,
): Promise<boolean> {
  const updatedRows = await db.execute(sql`
    update document_answers set asked = case when asked_on = ${day}::date then asked + 1 else 1 end, asked_on = ${day}::date
    where organisation_id = ${organisationId}::int and (asked_on is distinct from ${day}::date or asked < ${dailyLimit}::int)`)
  return updatedRows > 0
}
