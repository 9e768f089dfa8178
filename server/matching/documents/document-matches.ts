import sql from 'sql-template-tag'
import { DEMO_ORGANISATION_CODE } from '#contract/reserved-organisations.ts'
import { enqueueProjectMatchJob } from '#server/matching/match-requests.ts'
import { loadPublishedDataLoadIds } from '#server/matching/queries.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { enqueueJobs } from '#server/platform/queue/enqueue-jobs.ts'
import type { DocumentKeyword } from './compile-document-keywords.ts'
import { DOCUMENT_MATCH_JOB_TYPE, type DocumentKeywordLocation } from './public-document-text.ts'

export const MAX_PROJECTS_PER_DOCUMENT_KEYWORD = 2_000

const timestamp = (at: Date) => sql`${at.toISOString()}::timestamptz`

export async function loadDocumentKeywords(db: Db): Promise<Map<number, DocumentKeyword[]>> {
  const rows = await db.query<DocumentKeyword & { organisationId: number }>(sql`
    select k.id, k.word, k.organisation_id as "organisationId"
    from keywords k join organisations o on o.id = k.organisation_id
    where k.in_documents and k.list = 'include' and not o.is_disabled and o.code <> ${DEMO_ORGANISATION_CODE} order by k.id`)
  return Map.groupBy(rows, ({ organisationId }) => organisationId)
}

export async function loadDocumentKeyword(
  db: Db,
  id: number,
): Promise<(DocumentKeyword & { readonly organisationId: number }) | undefined> {
  const [row] = await db.query<DocumentKeyword & { organisationId: number }>(sql`
    select k.id, k.word, k.organisation_id as "organisationId"
    from keywords k join organisations o on o.id = k.organisation_id
    where k.id = ${id}::int and k.in_documents and k.list = 'include' and not o.is_disabled and o.code <> ${DEMO_ORGANISATION_CODE}`)
  return row
}

export type NewDocumentMatch = DocumentKeywordLocation & { readonly keyword: DocumentKeyword }

type DocumentMatchBatch = {
  readonly organisationId: number
  readonly matches: readonly NewDocumentMatch[]
  /** True for a newly arrived document: its matches count as new and trigger notifications. */
  readonly isNewDocument: boolean
  readonly at: Date
}

/**
 * Stores the pages that contain words of an organisation and requests matching of their projects. Takes the same lock
 * as list changes and ignores words that were changed or switched off meanwhile. Leaves existing rows unchanged.
 * Returns the number of projects.
 */
export async function saveDocumentMatches(
  tx: Db,
  { organisationId, matches, isNewDocument, at }: DocumentMatchBatch,
): Promise<number> {
  if (matches.length === 0) return 0
  await tx.query(sql`select from organisations where id = ${organisationId}::int for no key update`)
  const rows = matches.map(({ projectId, hash, page, keyword: { id, word } }) => ({ projectId, hash, page, id, word }))
  const [latest] = isNewDocument ? await loadPublishedDataLoadIds(tx) : []
  const added = await tx.query<{ project_id: string; keyword_id: number }>(sql`
    insert into document_matches (organisation_id, project_id, keyword_id, hash, page, load_id, found_at)
    select ${organisationId}::int, r."projectId", k.id, r.hash, r.page, ${latest ?? null}::bigint, ${timestamp(at)}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r ("projectId" text, hash text, page int, id int, word text)
    join keywords k on k.id = r.id and k.organisation_id = ${organisationId}::int and k.word = r.word and k.in_documents and k.list = 'include'
    on conflict (organisation_id, project_id, keyword_id) do nothing returning project_id, keyword_id`)
  if (added.length === 0) return 0
  const keywords = [...new Set(added.map(({ keyword_id }) => keyword_id))]
  const excessMatches = await tx.query<{ project_id: string }>(sql`
    delete from document_matches x using (
      select project_id, keyword_id, row_number() over (partition by keyword_id order by found_at desc, project_id desc) as place
      from document_matches where organisation_id = ${organisationId}::int and keyword_id = any (${keywords}::int[])
    ) old
    where x.organisation_id = ${organisationId}::int and x.project_id = old.project_id and x.keyword_id = old.keyword_id
      and old.place > ${MAX_PROJECTS_PER_DOCUMENT_KEYWORD}::int
    returning x.project_id`)
  const projects = [...new Set([...added, ...excessMatches].map(({ project_id }) => project_id))]
  await enqueueProjectMatchJob(tx, organisationId, { projects }, at)
  return projects.length
}

type ListedWord = { readonly id: number; readonly word: string; readonly in_documents?: boolean | undefined }

export async function findProjectsByDocumentKeyword(
  tx: Db,
  organisationId: number,
  wordsBefore: readonly ListedWord[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  if (!wordsBefore.some(({ in_documents }) => in_documents)) return new Map()
  const rows = await tx.query<{ keyword_id: number; projects: string[] }>(sql`
    select keyword_id, array_agg(project_id) as projects from document_matches
    where organisation_id = ${organisationId}::int group by keyword_id`)
  return new Map(rows.map(({ keyword_id, projects }) => [keyword_id, projects]))
}

/**
 * Updates document matches in the transaction of a list change: deletes matches of words that were removed, changed or
 * switched off, and queues the search for new words. Returns the projects to rematch.
 */
export async function applyKeywordListChangeToDocuments(
  tx: Db,
  organisationId: number,
  change: {
    readonly before: readonly ListedWord[]
    readonly found: ReadonlyMap<number, readonly string[]>
    readonly after: readonly ListedWord[]
    readonly at: Date
  },
): Promise<string[]> {
  const { before: wordsBefore, found: projectsByWord, after: wordsAfter, at } = change
  const documentWordsById = (words: readonly ListedWord[]) =>
    new Map(words.flatMap(({ id, word, in_documents }) => (in_documents ? [[id, word] as const] : [])))
  const [oldWords, newWords] = [documentWordsById(wordsBefore), documentWordsById(wordsAfter)]
  const removedIds = [...oldWords].flatMap(([id, word]) => (newWords.get(id) === word ? [] : id))
  const addedIds = [...newWords].flatMap(([id, word]) => (oldWords.get(id) === word ? [] : id))
  if (removedIds.length > 0)
    await tx.execute(sql`
      delete from document_matches where organisation_id = ${organisationId}::int and keyword_id = any (${removedIds}::int[])`)
  await enqueueJobs(
    tx,
    DOCUMENT_MATCH_JOB_TYPE,
    addedIds.map((keyword) => ({ key: `word ${keyword}`, payload: { keyword }, organisationId, at })),
  )
  return [...new Set(removedIds.flatMap((id) => projectsByWord.get(id) ?? []))]
}
