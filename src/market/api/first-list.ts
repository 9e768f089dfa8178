import { keepPreviousData } from '@tanstack/react-query'
import { type FirstListProofRequest, firstListProofSchema, firstListSchema } from '#contract/market/first-list.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'

/** Wins change only with a load; the set-up takes a minute. */
const STALE_TIME_MS = 5 * 60_000

export const firstListQuery = (company: string) =>
  apiQueryOptions('organisations/me/first-list', {
    queryKey: ['first-list', 'proposal', company],
    json: { company },
    schema: firstListSchema,
    enabled: company !== '',
    staleTime: STALE_TIME_MS,
  })

export const firstListProofQuery = (body: FirstListProofRequest) =>
  apiQueryOptions('organisations/me/first-list/proof', {
    queryKey: ['first-list', 'proof', body],
    json: body,
    schema: firstListProofSchema,
    placeholderData: keepPreviousData,
    staleTime: STALE_TIME_MS,
  })
