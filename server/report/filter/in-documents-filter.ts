import sql, { join, type Sql } from 'sql-template-tag'
import { getFoldedPhrase, matchesDocumentText } from '#contract/documents/document-search-expression.ts'
import { parseSearchExpressionOrThrow, type SearchNode } from '#contract/search/search-grammar.ts'
import { type DocumentSearchResults, getProjectsWithPhrase } from '#server/report/deep/deep-search-hits.ts'
import { findProjectRow } from '#server/report/engine/cached-matches.ts'
import type { InMemoryReportQuery } from '#server/report/engine/in-memory-report-query.ts'
import { findRowPosition } from '#server/report/engine/match-set.ts'
import type { ReportFilter } from './report-filter.ts'

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

function maskOf(node: SearchNode, query: InMemoryReportQuery): Uint8Array {
  const { columns, tab, documents } = query
  if (node.kind === 'term') {
    const passing = new Uint8Array(tab.rows.length)
    for (const id of getProjectsWithPhrase(documents, getFoldedPhrase(node))) {
      const row = findProjectRow(columns, id)
      const position = row === undefined ? -1 : findRowPosition(tab, row)
      if (position !== -1) passing[position] = 1
    }
    return passing
  }
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

export const IN_DOCUMENTS_FILTER: ReportFilter<string> = {
  matches: (expression) => {
    const node = parseSearchExpressionOrThrow(expression)
    return (row, context) => matchesDocumentText(node, (phrase) => context.isInDocuments(phrase, row.project_id))
  },
  condition: (expression, { documents }) => conditionSql(parseSearchExpressionOrThrow(expression), documents),
  mask: (expression) => (query) => maskOf(parseSearchExpressionOrThrow(expression), query),
  maskVersion: ({ documents }) => documents?.version,
  facet: null,
  readsText: true,
}
