import sql, { join, type Sql } from 'sql-template-tag'
import { z } from 'zod/mini'
import type { DocumentReading } from '#contract/documents/document.ts'
import { phraseOf } from '#contract/documents/document-words.ts'
import { LARGEST_PAGE_SHARE, readDocumentWord } from '#contract/matching/document-word.ts'
import type { SearchNode } from '#contract/search/search-grammar.ts'
import { foldText, trigramsOf } from '#contract/thai/fold-text.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { slicesOf } from '#server/platform/engine/in-batches.ts'
import { asOwner } from '#server/platform/engine/tenant.ts'
import { enqueue } from '#server/platform/queue/enqueue.ts'
import type { JobType } from '#server/platform/queue/job.ts'

/**
 * Text of invitations that e-GP publishes to everyone, separate from organisations' documents; watch words of all
 * organisations are searched in it (decision 0120).
 */

const payload = z.union([z.object({ hash: z.string() }), z.object({ keyword: z.int() })])
/** Searches all words in one document, or one word in all documents. */
export const DOCUMENT_MATCH_JOB: JobType<z.output<typeof payload>> = { kind: 'document-match', payload }

/** Words search back this far; text is retained for another month. */
export const LOOKED_BACK_DAYS = 90
const KEPT_DAYS = 120
/** About 400 kB of JSON. */
const PAGES_AT_ONCE = 25
const UNLIMITED = { timeoutMs: 0 }

const withoutNul = (text: string) => text.replaceAll('\0', ' ').toWellFormed()

/**
 * Stores the text of an invitation linked from the feed and queues the watch word search, in the transaction of the
 * reading. Drafts are excluded: they are fetched only when a user here follows the project, which must not leak to
 * other organisations (decision 0120). OCR text is excluded too.
 */
export async function storePublicText(
  tx: Db,
  hash: string,
  { outcome, pages }: DocumentReading,
  at: Date,
): Promise<void> {
  if (outcome !== 'read') return
  const added = await tx.execute(sql`
    insert into public_documents (hash, project_id, name, link, fetched_at)
    select distinct on (d.project_id) d.hash, d.project_id, d.name, d.link, d.fetched_at
    from documents d join intake_links l on l.project_id = d.project_id and l.link = d.link and l.type = 'D0'
    where d.hash = ${hash} and d.link is not null and d.fetched_at > ${keptSince(at)}
    order by d.project_id, d.fetched_at
    on conflict (hash, project_id) do nothing`)
  if (added === 0) return
  for (const slice of slicesOf([...pages.entries()], PAGES_AT_ONCE)) {
    const rows = slice.map(([index, page]) => {
      const text = withoutNul(page.text)
      const { folded } = foldText(text)
      return { page: index + 1, text, folded, trigrams: trigramsOf(folded) }
    })
    await tx.execute(sql`
      insert into public_pages (hash, page, text, folded, trigrams)
      select ${hash}, r.page, r.text, r.folded, array(select t::int from json_array_elements_text(r.trigrams) t)
      from json_to_recordset(${JSON.stringify(rows)}::json) as r (page int, text text, folded text, trigrams json)
      on conflict (hash, page) do nothing`)
  }
  await enqueue(tx, DOCUMENT_MATCH_JOB, { key: hash, dedupeKey: hash, payload: { hash }, at })
}

const daysBefore = (at: Date, days: number): Sql =>
  sql`${at.toISOString()}::timestamptz - make_interval(days => ${days}::int)`
const keptSince = (at: Date): Sql => daysBefore(at, KEPT_DAYS)

/** Deletes expired text. Matches stay with the organisation, so its report does not change when a text expires. */
export async function expirePublicText(db: Db, at: Date): Promise<number> {
  return await db.transaction(async (tx) => {
    const gone = await tx.execute(sql`delete from public_documents where fetched_at <= ${keptSince(at)}`, UNLIMITED)
    if (gone > 0) await removePagesOfNobody(tx)
    return gone
  })
}

async function removePagesOfNobody(tx: Db): Promise<void> {
  await tx.execute(
    sql`delete from public_pages p where not exists (select from public_documents d where d.hash = p.hash)`,
    UNLIMITED,
  )
}

export async function readPublicText(
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

/** The trigram index yields candidate pages, the text decides. */
function pageCondition(node: SearchNode): Sql {
  if (node.kind === 'term') {
    const phrase = phraseOf(node)
    return sql`(p.trigrams @> ${trigramsOf(phrase)}::int[] and position(${phrase} in p.folded) > 0)`
  }
  if (node.kind === 'not') {
    // Not via the index: it also returns pages that contain the trigrams but not the word.
    const drop = sql`not ${textCondition(node.drop)}`
    return node.keep === null ? drop : sql`(${pageCondition(node.keep)} and ${drop})`
  }
  return sql`(${join(node.parts.map(pageCondition), node.kind === 'and' ? ' and ' : ' or ')})`
}

function textCondition(node: SearchNode): Sql {
  if (node.kind === 'term') return sql`position(${phraseOf(node)} in p.folded) > 0`
  if (node.kind === 'not') {
    const drop = sql`not ${textCondition(node.drop)}`
    return node.keep === null ? drop : sql`(${textCondition(node.keep)} and ${drop})`
  }
  return sql`(${join(node.parts.map(textCondition), node.kind === 'and' ? ' and ' : ' or ')})`
}

export type WordPlace = { readonly projectId: string; readonly hash: string; readonly page: number }

/**
 * Finds a word in documents of the last 90 days: one place per project, newest documents first. Runs as owner even for
 * requests: tenants may not read the text, but may learn that a project contains the word.
 */
export async function findWord(db: Db, word: string, at: Date, most: number): Promise<WordPlace[]> {
  const read = readDocumentWord(word)
  if (!read.ok) return []
  return await asOwner(() =>
    db.query<WordPlace>(
      sql`
        select f.project_id as "projectId", f.hash, f.page from (
          select distinct on (d.project_id) d.project_id, d.hash, p.page, d.fetched_at
          from public_pages p join public_documents d on d.hash = p.hash
          where d.fetched_at > ${daysBefore(at, LOOKED_BACK_DAYS)} and ${pageCondition(read.node)}
          order by d.project_id, d.fetched_at desc, d.hash, p.page
        ) f order by f.fetched_at desc, f.project_id limit ${most}::int`,
      UNLIMITED,
    ),
  )
}

/** Sample of newest pages for estimating a word's share: a share of 5 % is accurate to half a percent. */
const COUNTED_PAGES = 2_000
const LEAST_COUNTED = 100

/** Returns the share of pages (0 to 1) containing a word if too large to watch, else undefined. */
export async function shareTooLarge(db: Db, word: string): Promise<number | undefined> {
  const read = readDocumentWord(word)
  if (!read.ok) return undefined
  const [counted] = await asOwner(() =>
    db.query<{ pages: number; held: number }>(sql`
      with newest as materialized (
        select p.folded from (
          select d.hash from public_documents d order by d.fetched_at desc, d.hash, d.project_id limit ${COUNTED_PAGES}::int
        ) d join public_pages p on p.hash = d.hash limit ${COUNTED_PAGES}::int
      )
      select count(*)::int as pages, count(*) filter (where ${textCondition(read.node)})::int as held from newest p`),
  )
  const { pages, held } = counted!
  const share = pages === 0 ? 0 : held / pages
  return pages >= LEAST_COUNTED && share > LARGEST_PAGE_SHARE ? share : undefined
}
