import sql, { join, type Sql } from 'sql-template-tag'
import { formatDepartmentName } from '#contract/catalogue/format-department-name.ts'
import { getFoldedPhrase, matchesDocumentText } from '#contract/documents/document-search-expression.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { parseSearchExpressionOrThrow, type SearchNode } from '#contract/search/search-grammar.ts'
import { compileAnyTextSearch } from '#contract/search/search-match.ts'
import { type SearchColumns, searchConditionSql } from '#server/platform/text/search-sql.ts'
import {
  type DocumentSearchResults,
  getProjectsWithPhrase,
  getSemanticSearchHits,
} from '#server/report/deep/semantic-search-hits.ts'
import type { ReportFilter, ReportMatches, SearchedTextField } from '#server/report/report-queries.ts'

type Text = {
  readonly textsOf: (row: ReportRow) => readonly string[]
  readonly columns: SearchColumns
  readonly inMemory: SearchedTextField
}

const NAME: Text = {
  textsOf: ({ name }) => [name],
  columns: {
    compact: sql`t.name_search`,
    // Text with spaces is stored only with the project, because quoted terms are rare.
    spaced: sql`(select p.name_spaced from projects p where p.project_id = m.project_id)`,
    scanned: true,
  },
  inMemory: 'name',
}

const NUMBER: Text = {
  textsOf: ({ project_id: id }) => [id],
  columns: { compact: sql`m.project_id`, spaced: sql`m.project_id`, scanned: true },
  inMemory: 'number',
}

const DEPARTMENT: Text = {
  textsOf: (row) => [formatDepartmentName(row)],
  columns: { compact: sql`d.dept_search`, spaced: sql`d.dept_spaced`, scanned: true },
  inMemory: 'department',
}

const WINNER: Text = {
  textsOf: ({ winner_name: mainWinner, other_winners: otherWinners = [] }) => [mainWinner ?? '', ...otherWinners],
  columns: {
    compact: sql`coalesce(t.winner_search, '')`,
    spaced: sql`coalesce(t.winner_spaced, '')`,
    scanned: true,
  },
  inMemory: 'winner',
}

function createExpressionFilter(texts: readonly Text[], condition: (expression: string) => Sql): ReportFilter<string> {
  return {
    matches: (expression) => {
      const matchesTexts = compileAnyTextSearch(parseSearchExpressionOrThrow(expression))
      return (row) => matchesTexts(texts.flatMap(({ textsOf }) => textsOf(row)))
    },
    condition,
    select: (expression) => (matches) =>
      matches.flagByText(
        parseSearchExpressionOrThrow(expression),
        texts.map(({ inMemory }) => inMemory),
      ),
    facet: null,
    readsText: true,
  }
}

/**
 * Join for text filters: one lookup per row, only for rows that pass the earlier conditions. `offset 0` prevents the
 * planner from flattening it.
 */
const FROM_TEXTS = sql`project_texts t where t.filters_id = m.filters_id`
const FROM_ALL_TEXTS = sql`project_texts t join department_texts d on d.department_id = m.department_id where t.filters_id = m.filters_id`

const createTextFilter = (from: Sql, texts: readonly Text[]) =>
  createExpressionFilter(
    texts,
    (expression) =>
      sql`exists (select from ${from} and (${searchConditionSql(parseSearchExpressionOrThrow(expression), ...texts.map(({ columns }) => columns))}) offset 0)`,
  )

export const ANY_TEXT_FILTER = createTextFilter(FROM_ALL_TEXTS, [NAME, DEPARTMENT, WINNER, NUMBER])
export const PROJECT_NAME_FILTER = createTextFilter(FROM_TEXTS, [NAME])
export const WINNER_NAME_FILTER = createTextFilter(FROM_TEXTS, [WINNER])
export const DEPARTMENT_NAME_FILTER = createExpressionFilter(
  [DEPARTMENT],
  (expression) =>
    sql`m.department_id = any (array(select d.department_id from department_texts d where ${searchConditionSql(parseSearchExpressionOrThrow(expression), DEPARTMENT.columns)}))`,
)

function documentConditionSql(node: SearchNode, documents: DocumentSearchResults | undefined): Sql {
  if (node.kind === 'term')
    return sql`m.project_id = any (${[...getProjectsWithPhrase(documents, getFoldedPhrase(node))]}::text[])`
  if (node.kind === 'not') {
    const drop = sql`not ${documentConditionSql(node.drop, documents)}`
    return node.keep === null ? drop : sql`(${documentConditionSql(node.keep, documents)} and ${drop})`
  }
  const conditions = node.parts.map((part) => documentConditionSql(part, documents))
  return sql`(${join(conditions, node.kind === 'and' ? ' and ' : ' or ')})`
}

function flagByDocuments(node: SearchNode, matches: ReportMatches): Uint8Array {
  if (node.kind === 'term') return matches.flagProjects(getProjectsWithPhrase(matches.documents, getFoldedPhrase(node)))
  if (node.kind === 'not') {
    const keep = node.keep && flagByDocuments(node.keep, matches)
    return flagByDocuments(node.drop, matches).map((drop, at) => (keep ? keep[at]! & (drop ^ 1) : drop ^ 1))
  }
  const [first, ...otherResults] = node.parts.map((part) => flagByDocuments(part, matches))
  for (const otherPassing of otherResults)
    for (const [at, passes] of otherPassing.entries())
      first![at] = node.kind === 'and' ? first![at]! & passes : first![at]! | passes
  return first!
}

export const DOCUMENT_TEXT_FILTER: ReportFilter<string> = {
  matches: (expression) => {
    const node = parseSearchExpressionOrThrow(expression)
    return (row, context) => matchesDocumentText(node, (phrase) => context.isInDocuments(phrase, row.project_id))
  },
  condition: (expression, { documents }) => documentConditionSql(parseSearchExpressionOrThrow(expression), documents),
  select: (expression) => (matches) => flagByDocuments(parseSearchExpressionOrThrow(expression), matches),
  facet: null,
  readsText: true,
}

/** Applies `ai_deep_from` too, because the scores are in its results. */
export const SEMANTIC_SEARCH_FILTER: ReportFilter<readonly string[]> = {
  matches: (sentences) => (row, context) => sentences.some((sentence) => context.isMeant(sentence, row.name)),
  // Concatenation prevents index use: PostgreSQL would sort these 16,000 ids for every mark (19 s on PGlite).
  condition: (_, { deep }, search) =>
    sql`(m.project_id || '') = any (${[...getSemanticSearchHits(search, deep)!.keys()]}::text[])`,
  select: () => (matches) => matches.selectSemanticSearchHits(),
  facet: null,
  isJoined: true,
}

export const PROJECT_IDS_FILTER: ReportFilter<readonly string[]> = {
  matches: (ids) => {
    const idSet = new Set(ids)
    return (row) => idSet.has(row.project_id)
  },
  condition: (ids) => sql`m.project_id = any (${[...ids]}::text[])`,
  select: (ids) => (matches) => matches.flagProjects(ids),
  facet: null,
}
