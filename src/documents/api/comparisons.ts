import { queryOptions } from '@tanstack/react-query'
import { documentComparisonSchema } from '#contract/documents/document-comparison.ts'
import { documentRequirementsSchema } from '#contract/documents/requirement.ts'
import { sendApiRequest } from '#src/api/http/client.ts'

/** Loads a comparison of two documents. Documents are immutable once read, so a comparison never becomes stale. */
export const documentComparisonQuery = (id: string, before: string | undefined) =>
  queryOptions({
    queryKey: ['documents', 'comparison', id, before],
    queryFn: ({ signal }) =>
      sendApiRequest(`documents/${encodeURIComponent(id)}/comparison`, {
        query: { before: before! },
        schema: documentComparisonSchema,
        signal,
      }),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: before !== undefined,
  })

/** Short, because answers change when colleagues edit the organisation's capabilities and as days pass. */
const FRESH_MS = 60_000

export const documentRequirementsQuery = (id: string) =>
  queryOptions({
    queryKey: ['documents', 'requirements', id],
    queryFn: ({ signal }) =>
      sendApiRequest(`documents/${encodeURIComponent(id)}/requirements`, {
        schema: documentRequirementsSchema,
        signal,
      }),
    staleTime: FRESH_MS,
  })
