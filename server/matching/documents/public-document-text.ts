import sql, { join, type Sql } from 'sql-template-tag'
import { z } from 'zod/mini'
import type { DocumentReadResult } from '#contract/documents/document.ts'
import { getFoldedPhrase } from '#contract/documents/document-search-expression.ts'
import { MAX_DOCUMENT_KEYWORD_PAGE_SHARE, parseDocumentKeyword } from '#contract/matching/document-keyword.ts'
import type { SearchNode } from '#contract/search/search-grammar.ts'
import { foldDocumentText, getFoldedTextTrigrams } from '#contract/thai/fold-document-text.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { splitIntoSlices } from '#server/platform/engine/process-in-batches.ts'
import { runWithoutTenant } from '#server/platform/engine/tenant.ts'
import { enqueueSingleJob } from '#server/platform/queue/enqueue-jobs.ts'
import type { JobType } from '#server/platform/queue/job.ts'

// Text of invitations that e-GP publishes to everyone, stored separately from organisations' own documents. Watch words
// of all organisations are searched in it (decision 0120).

const payload = z.union([z.object({ hash: z.string() }), z.object({ keyword: z.int() })])
/** Job that searches all words in one document, or one word in all documents. */
export const DOCUMENT_MATCH_JOB_TYPE: JobType<z.output<typeof payload>> = { kind: 'document-match', payload }

/** Age in days up to which documents are searched for watch words. Their text is retained for another month. */
const DOCUMENT_LOOKBACK_DAYS = 90
const RETENTION_DAYS = 120
/** Pages per insert statement, about 400 kB of JSON. */
const PAGES_PER_INSERT = 25
const NO_TIMEOUT = { timeoutMs: 0 }

const withoutNul = (text: string) => text.replaceAll('\0', ' ').toWellFormed()

/**
 * Stores the text of an invitation linked from the feed and queues the search for watch words, in the transaction that
 * read the document. Excludes drafts: the server downloads a draft only when a user here follows the project, and other
 * organisations must not learn that (decision 0120). Excludes OCR text too.
 */
export async function storePublicDocumentText(
  tx: Db,
  hash: string,
  { outcome, pages }: DocumentReadResult,
  at: Date,
): Promise<void> {
  if (outcome !== 'read') return
  const added = await tx.execute(sql`
    insert into public_documents (hash, project_id, name, link, fetched_at)
    select distinct on (d.project_id) d.hash, d.project_id, d.name, d.link, d.fetched_at
    from documents d join intake_links l on l.project_id = d.project_id and l.link = d.link and l.type = 'D0'
    where d.hash = ${hash} and d.link is not null and d.fetched_at > ${retentionStart(at)}
    order by d.project_id, d.fetched_at
    on conflict (hash, project_id) do nothing`)
  if (added === 0) return
  for (const slice of splitIntoSlices([...pages.entries()], PAGES_PER_INSERT)) {
    const rows = slice.map(([index, page]) => {
      const text = withoutNul(page.text)
      const { folded } = foldDocumentText(text)
      return { page: index + 1, text, folded, trigrams: getFoldedTextTrigrams(folded) }
    })
    await tx.execute(sql`
      insert into public_pages (hash, page, text, folded, trigrams)
      select ${hash}, r.page, r.text, r.folded, array(select t::int from json_array_elements_text(r.trigrams) t)
      from json_to_recordset(${JSON.stringify(rows)}::json) as r (page int, text text, folded text, trigrams json)
      on conflict (hash, page) do nothing`)
  }
  await enqueueSingleJob(tx, DOCUMENT_MATCH_JOB_TYPE, { key: hash, dedupeKey: hash, payload: { hash }, at })
}

const daysBefore = (at: Date, days: number): Sql =>
  sql`${at.toISOString()}::timestamptz - make_interval(days => ${days}::int)`
const retentionStart = (at: Date): Sql => daysBefore(at, RETENTION_DAYS)

/**
 * Deletes expired text. Keeps the organisations' matches, so their reports do not change. Returns the number of deleted
 * documents.
 */
export async function deleteExpiredDocumentText(db: Db, at: Date): Promise<number> {
  return await db.transaction(async (tx) => {
    const deletedCount = await tx.execute(
      sql`delete from public_documents where fetched_at <= ${retentionStart(at)}`,
      NO_TIMEOUT,
    )
    if (deletedCount > 0) await deleteOrphanedPages(tx)
    return deletedCount
  })
}

async function deleteOrphanedPages(tx: Db): Promise<void> {
  await tx.execute(
    sql`delete from public_pages p where not exists (select from public_documents d where d.hash = p.hash)`,
    NO_TIMEOUT,
  )
}

export async function loadPublicDocumentText(
  db: Db,
  hash: string,
): Promise<{ readonly projects: readonly string[]; readonly pages: readonly { page: number; folded: string }[] }> {
  const projects = await db.query<{ id: string }>(
    sql`select project_id as id from public_documents where hash = ${hash} order by 1`,
  )
  const pages = await db.query<{ page: number; folded: string }>(
    sql`select page, folded from public_pages where hash = ${hash} order by page`,
  )
  return { projects: projects.map(({ id }) => id), pages }
}

const textContains = (phrase: string): Sql => sql`position(${phrase} in p.folded) > 0`
/** Uses the index, which also returns pages that contain the trigrams but not the phrase. */
const indexedTextContains = (phrase: string): Sql =>
  sql`(p.trigrams @> ${getFoldedTextTrigrams(phrase)}::int[] and ${textContains(phrase)})`

/** SQL condition: page `p` matches the search. `contains` tests a phrase; excluded ones are always tested in the text. */
function pageCondition(node: SearchNode, contains: (phrase: string) => Sql): Sql {
  if (node.kind === 'term') return contains(getFoldedPhrase(node))
  if (node.kind === 'not') {
    const drop = sql`not ${pageCondition(node.drop, textContains)}`
    return node.keep === null ? drop : sql`(${pageCondition(node.keep, contains)} and ${drop})`
  }
  const parts = node.parts.map((part) => pageCondition(part, contains))
  return sql`(${join(parts, node.kind === 'and' ? ' and ' : ' or ')})`
}

export type DocumentKeywordLocation = { readonly projectId: string; readonly hash: string; readonly page: number }

/**
 * Finds a word in documents of the last 90 days: one location per project, newest documents first. Runs as superuser
 * even for requests: tenants may not read the text, but may learn that a project contains the word.
 */
export async function findKeywordInDocuments(
  db: Db,
  word: string,
  at: Date,
  limit: number,
): Promise<DocumentKeywordLocation[]> {
  const parsed = parseDocumentKeyword(word)
  if (!parsed.ok) return []
  return await runWithoutTenant(() =>
    db.query<DocumentKeywordLocation>(
      sql`
        select f.project_id as "projectId", f.hash, f.page from (
          select distinct on (d.project_id) d.project_id, d.hash, p.page, d.fetched_at
          from public_pages p join public_documents d on d.hash = p.hash
          where d.fetched_at > ${daysBefore(at, DOCUMENT_LOOKBACK_DAYS)} and ${pageCondition(parsed.node, indexedTextContains)}
          order by d.project_id, d.fetched_at desc, d.hash, p.page
        ) f order by f.fetched_at desc, f.project_id limit ${limit}::int`,
      NO_TIMEOUT,
    ),
  )
}

/**
 * Number of newest pages sampled to estimate a word's share. An estimate of 5 % is accurate to half a percentage point.
 */
const SAMPLED_PAGES = 2_000
const MIN_SAMPLED_PAGES = 100

export async function findExcessiveWordPageShare(db: Db, word: string): Promise<number | undefined> {
  const parsed = parseDocumentKeyword(word)
  if (!parsed.ok) return undefined
  const [counts] = await runWithoutTenant(() =>
    db.query<{ pages: number; matching: number }>(sql`
      with newest as materialized (
        select p.folded from (
          select d.hash from public_documents d order by d.fetched_at desc, d.hash, d.project_id limit ${SAMPLED_PAGES}::int
        ) d join public_pages p on p.hash = d.hash limit ${SAMPLED_PAGES}::int
      )
      select count(*)::int as pages, count(*) filter (where ${pageCondition(parsed.node, textContains)})::int as matching from newest p`),
  )
  const { pages, matching: matchingPages } = counts!
  const share = pages === 0 ? 0 : matchingPages / pages
  return pages >= MIN_SAMPLED_PAGES && share > MAX_DOCUMENT_KEYWORD_PAGE_SHARE ? share : undefined
}
