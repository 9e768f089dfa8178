import { queryOptions } from '@tanstack/react-query'
import { documentComparisonSchema } from '#contract/documents/document-comparison.ts'
import { documentRequirementsSchema } from '#contract/documents/requirement.ts'
import { request } from '#src/api/http/client.ts'

/** What is different in a document from an older one. Neither changes once it is read, so an answer holds. */
export const comparisonQuery = (id: string, before: string | undefined) =>
  queryOptions({
    queryKey: ['documents', 'comparison', id, before],
    queryFn: ({ signal }) =>
      request(`documents/${encodeURIComponent(id)}/comparison`, {
        query: { before: before! },
        schema: documentComparisonSchema,
        signal,
      }),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: before !== undefined,
  })

/** Colleagues change what we bring to a tender, and days pass. */
const FRESH_MS = 60_000

/** What a document wants of whoever bids, clause by clause, and whether the organisation can. */
export const requirementsQuery = (id: string) =>
  queryOptions({
    queryKey: ['documents', 'requirements', id],
    queryFn: ({ signal }) =>
      request(`documents/${encodeURIComponent(id)}/requirements`, { schema: documentRequirementsSchema, signal }),
    staleTime: FRESH_MS,
  })
