import {
  type KeywordTermEvidenceRequest,
  type KeywordTermEvidenceResponse,
  keywordTermEvidenceRequestSchema,
  keywordTermEvidenceResponseSchema,
  MAX_KEYWORD_TERM_EVIDENCE_SAMPLES,
} from '#contract/matching/term-evidence.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import { loadKeywordImpactProjectNames } from '#server/matching/queries/impact.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { findTitlesDecidedByTerm, pickEvenlySpaced } from './title-groups.ts'
import type { RecentYearProjectTitles, RecentYearProjectTitlesCache } from './year-titles.ts'

async function computeEvidence(
  db: Db,
  year: RecentYearProjectTitles,
  { terms }: KeywordTermEvidenceRequest,
): Promise<KeywordTermEvidenceResponse> {
  const { titles, share } = year
  const normalizedTerms = terms.map((term) => ({ ...term, term: toNormalisedSearchText(term.term) }))
  const indexesByTerm = await year.matchTerms(normalizedTerms.map(({ term }) => term).filter((term) => term !== ''))
  const decided = findTitlesDecidedByTerm(normalizedTerms, indexesByTerm)
  const sampleIndexes = decided.map((indexes) => pickEvenlySpaced(indexes, MAX_KEYWORD_TERM_EVIDENCE_SAMPLES))
  const ids = sampleIndexes.flat().map((titleIndex) => titles[titleIndex]!.project_id)
  const names = await loadKeywordImpactProjectNames(db, [...new Set(ids)])
  const estimate = (count: number) => Math.round(count / share)
  return {
    from: year.from,
    to: year.to,
    titles: titles.length,
    share,
    terms: terms.map(({ term, facet }, index) => ({
      term,
      facet,
      holds: estimate(indexesByTerm.get(normalizedTerms[index]!.term)?.length ?? 0),
      adds: estimate(decided[index]!.length),
      samples: sampleIndexes[index]!.flatMap((titleIndex) => {
        const { project_id } = titles[titleIndex]!
        const name = names.get(project_id)
        return name === undefined ? [] : [{ project_id, name }]
      }),
    })),
  }
}

export function keywordEvidenceRoutes(
  app: RouteApp,
  context: RouteContext,
  yearTitles: RecentYearProjectTitlesCache,
): void {
  app.post(
    '/organisations/me/keywords/evidence',
    {
      config: { feature: 'report' },
      schema: {
        tags: ['watch list'],
        summary:
          'Show what each term of an AI keyword adds beyond its other terms. Counts titles of the last year; nothing is stored',
        body: keywordTermEvidenceRequestSchema,
        response: { 200: keywordTermEvidenceResponseSchema },
      },
    },
    async (request) => computeEvidence(context.db, await yearTitles(), request.body),
  )
}
