import type { ExcludedProjectsResponse } from '#contract/matching/keyword-impact.ts'
import { parseSearchExpression } from '#contract/search/search-grammar.ts'
import { getHighlightWords } from '#contract/search/search-highlight.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { buildPageLinks } from '#server/platform/route/page-links.ts'
import { createMatchReasonFinder, presentKeywordImpactProject } from './present-keyword-impact-project.ts'
import {
  type ExcludedProjectFilter,
  loadExcludedProjects,
  type StoredExcludedProjectRow,
} from './queries/load-excluded-projects.ts'
import { loadOrganisationMatchRules } from './queries.ts'
import { convertExclusionKeywordsToInclusions, removeExclusionKeywords } from './rule-placement.ts'

export async function buildExcludedProjectsResponse(
  db: Db,
  organisationId: number,
  search: ExcludedProjectFilter,
  linkTo: (page: number) => string,
): Promise<ExcludedProjectsResponse> {
  const stored = await loadExcludedProjects(db, organisationId, search)
  const [rules] = stored.rows.length > 0 ? await loadOrganisationMatchRules(db, organisationId) : []
  const { page, pageSize } = search
  return {
    links: buildPageLinks({ page, pageSize, total: stored.total }, linkTo),
    total_project: stored.total,
    page,
    page_size: pageSize,
    results: rules ? presentRows(stored.rows, rules) : [],
    words: [...stored.words],
    rescued: stored.rescued,
  }
}

function presentRows(
  rows: readonly StoredExcludedProjectRow[],
  rules: Awaited<ReturnType<typeof loadOrganisationMatchRules>>[number],
): ExcludedProjectsResponse['results'] {
  const inclusions = createMatchReasonFinder(removeExclusionKeywords(rules))
  const exclusions = createMatchReasonFinder(convertExclusionKeywordsToInclusions(rules))
  const words = new Map(rules.keywords.map(({ id, word }) => [id, word]))
  return rows.map((row) => {
    const matchedExclusions = exclusions(row).filter(({ keyword }) => words.get(keyword) === row.word)
    return {
      ...presentKeywordImpactProject(row, row.name, inclusions(row)),
      list: row.list,
      word: row.word,
      // The word that excluded a rescued project may have left the list, so fall back to the stored words.
      guilty_words:
        matchedExclusions.length > 0
          ? [...new Set(matchedExclusions.flatMap(({ terms }) => terms))]
          : wordsOf(row.word),
      rescued: row.rescued,
    }
  })
}

function wordsOf(expression: string): string[] {
  const parsed = parseSearchExpression(expression)
  return parsed.ok ? getHighlightWords(parsed.node) : []
}
