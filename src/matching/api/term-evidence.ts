import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type KeywordTermEvidenceRequest, keywordTermEvidenceResponseSchema } from '#contract/matching/term-evidence.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { keywordTermKeys } from '#src/api/http/keys.ts'

/** Loads the titles that each term adds to those of the other terms. Old figures remain while new ones load. */
export const keywordTermEvidenceQuery = (terms: KeywordTermEvidenceRequest['terms']) =>
  queryOptions({
    queryKey: keywordTermKeys.evidence(terms),
    queryFn: ({ signal }) =>
      sendApiRequest('organisations/me/keywords/evidence', {
        method: 'post',
        json: { terms },
        schema: keywordTermEvidenceResponseSchema,
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: 10 * 60_000,
  })
