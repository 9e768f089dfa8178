import sql, { join, type Sql } from 'sql-template-tag'
import {
  type DocumentHits,
  type DocumentQuestion,
  type DocumentSearch,
  type Excerpt,
  HITS_SHOWN,
  MOST_HITS,
} from '#contract/document/document-search.ts'
import { findFolded, foldText, trigramsOf } from '#contract/document/fold-text.ts'
import type { SearchNode } from '#contract/search/search-grammar.ts'
import type { Db } from '#server/engine/db.ts'

type Question = Extract<DocumentQuestion, { ok: true }>

/** Characters before and after the first place on a page. */
const BEFORE = 40
const AFTER = 100

/** Whether page `p` answers the question. The index of the trigrams names candidates, the text decides: every page that has the phrase is found, and no other. */
function pageCondition(node: SearchNode): Sql {
  if (node.kind === 'term') {
    const { folded } = foldText(node.text)
    return sql`((p.document_id, p.page) in (select document_id, page from document_page_candidates(${trigramsOf(folded)}::int[])) and position(${folded} in p.folded) > 0)`
  }
  if (node.kind === 'not') {
    const drop = sql`not ${pageCondition(node.drop)}`
    return node.keep === null ? drop : sql`(${pageCondition(node.keep)} and ${drop})`
  }
  return sql`(${join(node.parts.map(pageCondition), node.kind === 'and' ? ' and ' : ' or ')})`
}

/** A piece of the page around its first place, on one line, and how many places there are. */
function excerptOf(text: string, phrases: readonly string[]): { count: number; excerpt: Excerpt } {
  const folded = foldText(text)
  const found = phrases.flatMap((phrase) => findFolded(folded, phrase)).toSorted((a, b) => a.from - b.from)
  const from = Math.max(0, (found[0]?.from ?? 0) - BEFORE)
  const to = Math.min(text.length, from + BEFORE + AFTER)
  const marks = found.flatMap((one) => (one.to <= to ? [{ from: one.from - from, to: one.to - from }] : []))
  // One character for one: places stay what they are.
  return { count: found.length, excerpt: { text: text.slice(from, to).replace(/\s/g, ' '), marks } }
}

/** Pages of one document that answer the question, in its order. */
export async function searchDocument(
  db: Db,
  organisationId: number,
  id: string,
  { node, phrases }: Question,
): Promise<DocumentHits> {
  const rows = await db.query<{ page: number; text: string; is_from_picture: boolean }>(sql`
    select p.page, p.text, p.is_from_picture from document_pages p
    where p.organisation_id = ${organisationId}::int and p.document_id = ${id} and ${pageCondition(node)} order by p.page`)
  const pages = rows.map(({ text, ...page }) => ({ ...page, ...excerptOf(text, phrases) }))
  return { pages, count: pages.reduce((sum, { count }) => sum + count, 0) }
}

type FoundPage = {
  readonly document_id: string
  readonly document_name: string
  readonly project_id: string
  readonly project_name: string | null
  readonly page: number
  readonly text: string
  readonly is_from_picture: boolean
}

/** Pages of the organisation's documents that answer the question, those of the newest documents first; of one project if it is named. */
export async function searchDocuments(
  db: Db,
  organisationId: number,
  { node, phrases }: Question,
  project: string | undefined,
): Promise<DocumentSearch> {
  // One way through the pages for both: those that are listed, and how many there are.
  const rows = await db.query<FoundPage & { total: number }>(sql`
    with found as materialized (
      select d.id as document_id, d.name as document_name, d.project_id, p.page, d.added_at
      from document_pages p join documents d on d.id = p.document_id
      where p.organisation_id = ${organisationId}::int and d.organisation_id = ${organisationId}::int
        and (${project ?? null}::text is null or d.project_id = ${project ?? null}) and ${pageCondition(node)}
    ), first as (
      select * from found order by added_at desc, document_id, page limit ${HITS_SHOWN}::int
    )
    select f.document_id, f.document_name, f.project_id, f.page, p.text, p.is_from_picture, j.name as project_name,
      (select least(count(*), ${MOST_HITS}::int)::int from found) as total
    from first f join document_pages p on p.document_id = f.document_id and p.page = f.page
      left join projects j on j.project_id = f.project_id
    order by f.added_at desc, f.document_id, f.page`)
  const results = rows.map(({ text, total: _, ...page }) => ({ ...page, ...excerptOf(text, phrases) }))
  return { total: rows[0]?.total ?? 0, results }
}
