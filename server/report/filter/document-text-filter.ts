import sql, { join, type Sql } from 'sql-template-tag'
import { getFoldedPhrase, matchesDocumentText } from '#contract/documents/document-search-expression.ts'
import { parseSearchExpressionOrThrow, type SearchNode } from '#contract/search/search-grammar.ts'
import { type DocumentSearchResults, getProjectsWithPhrase } from '#server/report/deep/semantic-search-hits.ts'
import type { MatchMaskFn, ReportFilter } from './report-filter.ts'

function conditionSql(node: SearchNode, documents: DocumentSearchResults | undefined): Sql {
  if (node.kind === 'term')
    return sql`m.project_id = any (${[...getProjectsWithPhrase(documents, getFoldedPhrase(node))]}::text[])`
  if (node.kind === 'not') {
    const drop = sql`not ${conditionSql(node.drop, documents)}`
    return node.keep === null ? drop : sql`(${conditionSql(node.keep, documents)} and ${drop})`
  }
  const conditions = node.parts.map((part) => conditionSql(part, documents))
  return sql`(${join(conditions, node.kind === 'and' ? ' and ' : ' or ')})`
}

function maskOf(node: SearchNode, query: Parameters<MatchMaskFn>[0]): Uint8Array {
  if (node.kind === 'term') return query.flagProjects(getProjectsWithPhrase(query.documents, getFoldedPhrase(node)))
  if (node.kind === 'not') {
    const keep = node.keep && maskOf(node.keep, query)
    return maskOf(node.drop, query).map((drop, at) => (keep ? keep[at]! & (drop ^ 1) : drop ^ 1))
  }
  const [first, ...otherResults] = node.parts.map((part) => maskOf(part, query))
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
  condition: (expression, { documents }) => conditionSql(parseSearchExpressionOrThrow(expression), documents),
  mask: (expression) => (query) => maskOf(parseSearchExpressionOrThrow(expression), query),
  facet: null,
  readsText: true,
}
