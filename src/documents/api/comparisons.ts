import { documentComparisonSchema } from '#contract/documents/document-comparison.ts'
import { documentRequirementsSchema } from '#contract/documents/requirement.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'

/** Documents are immutable once read, so a comparison never becomes stale. */
export const documentComparisonQuery = (id: string, before: string | undefined) =>
  apiQueryOptions('documents/:id/comparison', {
    queryKey: ['documents', 'comparison', id, before],
    params: { id },
    query: { before: before! },
    schema: documentComparisonSchema,
    staleTime: Number.POSITIVE_INFINITY,
    enabled: before !== undefined,
  })

/** Short, because answers change when colleagues edit the organisation's capabilities, and from day to day. */
const STALE_TIME_MS = 60_000

export const documentRequirementsQuery = (id: string) =>
  apiQueryOptions('documents/:id/requirements', {
    queryKey: ['documents', 'requirements', id],
    params: { id },
    schema: documentRequirementsSchema,
    staleTime: STALE_TIME_MS,
  })
