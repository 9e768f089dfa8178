import { keepPreviousData } from '@tanstack/react-query'
import { type KeywordTermEvidenceRequest, keywordTermEvidenceResponseSchema } from '#contract/matching/term-evidence.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'

/** Loads the titles that each term adds to those of the other terms. Old figures remain while new ones load. */
export const keywordTermEvidenceQuery = (terms: KeywordTermEvidenceRequest['terms']) =>
  apiQueryOptions('organisations/me/keywords/evidence', {
    queryKey: [
      'keyword-evidence',
      terms.map(({ term, facet, acts }) => `${facet}${acts ? '+' : '-'}${term}`).join('|'),
    ],
    json: { terms },
    schema: keywordTermEvidenceResponseSchema,
    placeholderData: keepPreviousData,
    staleTime: 10 * 60_000,
  })
