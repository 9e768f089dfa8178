import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type TermEvidenceRequest, termEvidenceResponseSchema } from '#contract/matching/term-evidence.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { keywordTermKeys } from '#src/api/http/keys.ts'

/** Loads the titles that each term adds to those of the other terms. Old figures remain while new ones load. */
export const keywordTermEvidenceQuery = (terms: TermEvidenceRequest['terms']) =>
  queryOptions({
    queryKey: keywordTermKeys.evidence(terms),
    queryFn: ({ signal }) =>
      sendApiRequest('organisations/me/keywords/evidence', {
        method: 'post',
        json: { terms },
        schema: termEvidenceResponseSchema,
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: 10 * 60_000,
  })
