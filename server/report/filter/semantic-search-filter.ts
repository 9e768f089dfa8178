import sql from 'sql-template-tag'
import { getSemanticSearchHits } from '#server/report/deep/semantic-search-hits.ts'
import type { ReportFilter } from './report-filter.ts'

/** Applies `ai_deep_from` too, because the scores are in its results. */
export const SEMANTIC_SEARCH_FILTER: ReportFilter<readonly string[]> = {
  matches: (sentences) => (row, context) => sentences.some((sentence) => context.isMeant(sentence, row.name)),
  // Concatenation prevents index use: PostgreSQL would sort these 16,000 ids for every mark (19 s on PGlite).
  condition: (_, { deep }, search) =>
    sql`(m.project_id || '') = any (${[...getSemanticSearchHits(search, deep)!.keys()]}::text[])`,
  mask: () => (query) => query.flagAt([query.deepMatches!.positions]),
  facet: null,
  isJoined: true,
}
