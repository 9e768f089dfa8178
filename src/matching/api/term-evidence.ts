import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type TermEvidenceRequest, termEvidenceResponseSchema } from '#contract/matching/term-evidence.ts'
import { request } from '#src/api/http/client.ts'
import { termKeys } from '#src/api/http/keys.ts'

/** Loads the titles that each term adds to those of the other terms. Old figures remain while new ones load. */
export const termEvidenceQuery = (terms: TermEvidenceRequest['terms']) =>
  queryOptions({
    queryKey: termKeys.evidence(terms),
    queryFn: ({ signal }) =>
      request('organisations/me/keywords/evidence', {
        method: 'post',
        json: { terms },
        schema: termEvidenceResponseSchema,
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: 10 * 60_000,
  })
