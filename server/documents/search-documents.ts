import sql, { join, type Sql } from 'sql-template-tag'
import {
  type DocumentMatches,
  type DocumentSearchResponse,
  MAX_COUNTED_PAGE_MATCHES,
  MAX_RETURNED_PAGE_MATCHES,
  type ParsedDocumentQuery,
} from '#contract/documents/document-search.ts'
import type { SearchNode } from '#contract/search/search-grammar.ts'
import { foldDocumentText, getFoldedTextTrigrams } from '#contract/thai/fold-document-text.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { buildMatchExcerpt } from '#server/platform/text/build-match-excerpt.ts'

type DocumentQuery = Extract<ParsedDocumentQuery, { ok: true }>

/**
 * SQL condition for a page. The trigram index yields candidate pages, whose text is then checked, so the result is
 * exact.
 */
function pageCondition(node: SearchNode): Sql {
  if (node.kind === 'term') {
    const { folded } = foldDocumentText(node.text)
    return sql`((p.document_id, p.page) in (select document_id, page from document_page_candidates(${getFoldedTextTrigrams(folded)}::int[])) and position(${folded} in p.folded) > 0)`
  }
  if (node.kind === 'not') {
    const drop = sql`not ${pageCondition(node.drop)}`
    return node.keep === null ? drop : sql`(${pageCondition(node.keep)} and ${drop})`
  }
  return sql`(${join(node.parts.map(pageCondition), node.kind === 'and' ? ' and ' : ' or ')})`
}

export async function searchDocument(
  db: Db,
  organisationId: number,
  id: string,
  { node, phrases }: DocumentQuery,
): Promise<DocumentMatches> {
  const rows = await db.query<{ page: number; text: string; is_from_picture: boolean }>(sql`
    select p.page, p.text, p.is_from_picture from document_pages p
    where p.organisation_id = ${organisationId}::int and p.document_id = ${id} and ${pageCondition(node)} order by p.page`)
  const pages = rows.map(({ text, ...page }) => ({
    ...page,
    ...buildMatchExcerpt(text, phrases, { hidesDigits: page.is_from_picture }),
  }))
  return { pages, count: pages.reduce((sum, { count }) => sum + count, 0) }
}

type PageRow = {
  readonly document_id: string
  readonly document_name: string
  readonly project_id: string
  readonly project_name: string | null
  readonly page: number
  readonly text: string
  readonly is_from_picture: boolean
}

export async function searchDocuments(
  db: Db,
  organisationId: number,
  query: DocumentQuery,
  project: string | undefined,
): Promise<DocumentSearchResponse> {
  const { rows, total } =
    (project === undefined ? await searchByIndex(db, organisationId, query) : undefined) ??
    (await searchAll(db, organisationId, query, project))
  const results = rows.map(({ text, document_id, document_name, project_id, project_name, page, is_from_picture }) => ({
    document_id,
    document_name,
    project_id,
    project_name,
    page,
    is_from_picture,
    ...buildMatchExcerpt(text, query.phrases, { hidesDigits: is_from_picture }),
  }))
  return { total, results }
}

type SearchResult = { readonly rows: readonly PageRow[]; readonly total: number }

/** Only for common words: maximum number of documents to search, newest first, until enough pages are found. */
const MAX_NEWEST_DOCUMENTS = 420

function textCondition(node: SearchNode): Sql {
  if (node.kind === 'term') return sql`position(${foldDocumentText(node.text).folded} in p.folded) > 0`
  if (node.kind === 'not') {
    const drop = sql`not ${textCondition(node.drop)}`
    return node.keep === null ? drop : sql`(${textCondition(node.keep)} and ${drop})`
  }
  return sql`(${join(node.parts.map(textCondition), node.kind === 'and' ? ' and ' : ' or ')})`
}

/**
 * Query for pages in the index, limited to one more page than the maximum that is counted. Unless `isExact`, the pages
 * still need filtering by the whole query.
 */
type IndexQuery = { readonly pages: Sql; readonly isExact: boolean }
type QueryWords = {
  readonly required: readonly string[]
  readonly banned: readonly string[]
  readonly isExact: boolean
}

const NO_WORDS: QueryWords = { required: [], banned: [], isExact: true }

function wordsOf(node: SearchNode): QueryWords {
  if (node.kind === 'term') return { ...NO_WORDS, required: [foldDocumentText(node.text).folded] }
  if (node.kind === 'not') {
    const keep = node.keep === null ? NO_WORDS : wordsOf(node.keep)
    const dropped = node.drop.kind === 'or' ? node.drop.parts : [node.drop]
    const banned = dropped.flatMap((part) => (part.kind === 'term' ? [foldDocumentText(part.text).folded] : []))
    const isExact = keep.isExact && banned.length === dropped.length
    return { required: keep.required, banned: [...keep.banned, ...banned], isExact }
  }
  if (node.kind === 'or') return { ...NO_WORDS, isExact: false }
  const parts = node.parts.map(wordsOf)
  return {
    required: parts.flatMap((part) => part.required),
    banned: parts.flatMap((part) => part.banned),
    isExact: parts.every((part) => part.isExact),
  }
}

function indexQueryOf(node: SearchNode): IndexQuery | undefined {
  if (node.kind === 'or') {
    const parts = node.parts.map(indexQueryOf)
    const indexQueries = parts.filter((part) => part !== undefined)
    if (indexQueries.length < parts.length) return undefined
    const pages = join(
      indexQueries.map((part) => part.pages),
      ' union ',
    )
    return { pages, isExact: indexQueries.every(({ isExact }) => isExact) }
  }
  const { required, banned, isExact } = wordsOf(node)
  if (required.length === 0) return undefined
  const trigrams = [...new Set(required.flatMap(getFoldedTextTrigrams))]
  const limit = MAX_COUNTED_PAGE_MATCHES + 1
  const pages = sql`select document_id, page from document_page_finds(${trigrams}::int[], ${required}::text[], ${banned}::text[], ${limit}::int)`
  return { pages, isExact }
}

const RESULT_COLUMNS = sql`d.id as document_id, d.name as document_name, d.project_id, j.name as project_name, p.page, p.text, p.is_from_picture`

/**
 * Returns the same result as `searchAll` without reading every page with a common word. For rare words, looks up all
 * pages. For common words, counts up to a thousand pages and searches from the newest document backwards. Undefined
 * when neither suffices.
 */
async function searchByIndex(
  db: Db,
  organisationId: number,
  { node }: DocumentQuery,
): Promise<SearchResult | undefined> {
  const finder = indexQueryOf(node)
  if (finder === undefined) return undefined
  const filteredPages = finder.isExact
    ? sql`select document_id, page from named`
    : sql`select p.document_id, p.page from named n join document_pages p on p.document_id = n.document_id and p.page = n.page
        where p.organisation_id = ${organisationId}::int and ${textCondition(node)}`
  const rows = await db.query<PageRow & { total: number; named: number }>(sql`
    with named as materialized (${finder.pages}), found as materialized (${filteredPages}), counted as (
      select (select count(*)::int from named) as named, (select count(*)::int from found) as total
    ), first as (
      select f.document_id, f.page from found f join documents d on d.id = f.document_id
      where d.organisation_id = ${organisationId}::int and (select named from counted) <= ${MAX_COUNTED_PAGE_MATCHES}::int
      order by d.added_at desc, d.id, f.page limit ${MAX_RETURNED_PAGE_MATCHES}::int
    )
    select c.named, c.total, ${RESULT_COLUMNS}
    from counted c left join (first f join document_pages p on p.document_id = f.document_id and p.page = f.page
      join documents d on d.id = f.document_id left join projects j on j.project_id = d.project_id) on true
    order by d.added_at desc, d.id, p.page`)
  const { named, total } = rows[0]!
  // If no page matches, the outer join yields a single row with only the counts.
  if (named <= MAX_COUNTED_PAGE_MATCHES) return { rows: rows.filter(({ document_id }) => document_id !== null), total }
  if (total < MAX_COUNTED_PAGE_MATCHES) return undefined
  const newest = await findNewest(db, organisationId, node)
  return newest && { rows: newest, total: MAX_COUNTED_PAGE_MATCHES }
}

/**
 * Returns undefined unless the newest documents contain enough pages. The documents arrive in index order, so PostgreSQL
 * stops reading at the last page that is returned: 130 documents instead of 420 for a word on one page in 130.
 */
async function findNewest(db: Db, organisationId: number, node: SearchNode): Promise<PageRow[] | undefined> {
  const rows = await db.query<PageRow>(sql`
    select ${RESULT_COLUMNS}
    from (
      select id, name, project_id, added_at from documents where organisation_id = ${organisationId}::int
      order by added_at desc, id limit ${MAX_NEWEST_DOCUMENTS}::int
    ) d join document_pages p on p.document_id = d.id left join projects j on j.project_id = d.project_id
    where p.organisation_id = ${organisationId}::int and ${textCondition(node)}
    order by d.added_at desc, d.id, p.page limit ${MAX_RETURNED_PAGE_MATCHES}::int`)
  return rows.length === MAX_RETURNED_PAGE_MATCHES ? rows : undefined
}

async function searchAll(
  db: Db,
  organisationId: number,
  { node }: DocumentQuery,
  project: string | undefined,
): Promise<SearchResult> {
  const rows = await db.query<PageRow & { total: number }>(sql`
    with found as materialized (
      select d.id as document_id, d.name as document_name, d.project_id, p.page, d.added_at
      from document_pages p join documents d on d.id = p.document_id
      where p.organisation_id = ${organisationId}::int and d.organisation_id = ${organisationId}::int
        and (${project ?? null}::text is null or d.project_id = ${project ?? null}) and ${pageCondition(node)}
    ), first as (
      select * from found order by added_at desc, document_id, page limit ${MAX_RETURNED_PAGE_MATCHES}::int
    )
    select f.document_id, f.document_name, f.project_id, f.page, p.text, p.is_from_picture, j.name as project_name,
      (select least(count(*), ${MAX_COUNTED_PAGE_MATCHES}::int)::int from found) as total
    from first f join document_pages p on p.document_id = f.document_id and p.page = f.page
      left join projects j on j.project_id = f.project_id
    order by f.added_at desc, f.document_id, f.page`)
  return { rows, total: rows[0]?.total ?? 0 }
}
