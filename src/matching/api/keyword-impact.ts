import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
  excludedProjectsSchema,
  keywordPreviewSchema,
  keywordStatsSchema,
  matchExplanationSchema,
} from '#contract/matching/keyword-impact.ts'
import type { KeywordPreviewRequest } from '#contract/matching/keyword-requests.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { keywordImpactKeys } from '#src/api/http/keys.ts'

/** Short: words are edited at any time and projects change nightly. Changes of the lists invalidate at once. */
const STALE_TIME_MS = 60_000
export const EXCLUDED_PROJECTS_PAGE_SIZE = 25

/**
 * Loads the effect of words on the report. Every new request refetches (so debounce the input) and aborts the previous
 * one; old figures remain meanwhile (`isPlaceholderData`). Responses are keyed by request, so none can replace a newer
 * one.
 */
export function useKeywordPreview(body: KeywordPreviewRequest, { enabled = true }: { enabled?: boolean } = {}) {
  return useQuery(
    apiQueryOptions('organisations/me/keywords/preview', {
      queryKey: [...keywordImpactKeys.all, 'preview', body],
      json: body,
      schema: keywordPreviewSchema,
      enabled,
      placeholderData: keepPreviousData,
      staleTime: STALE_TIME_MS,
    }),
  )
}

export const keywordStatsQuery = apiQueryOptions('organisations/me/keyword-stats', {
  queryKey: keywordImpactKeys.stats,
  schema: keywordStatsSchema,
  staleTime: STALE_TIME_MS,
})

export type ExcludedProjectsSearch = {
  readonly days: 7 | 30 | 'all'
  readonly word?: string | undefined
  readonly rescued?: boolean | undefined
  readonly page: number
}

export const excludedProjectsQuery = ({ days, word, rescued, page }: ExcludedProjectsSearch) => {
  const query = {
    days: String(days),
    ...(word === undefined ? {} : { keyword: word }),
    ...(rescued ? { rescued: 'true' } : {}),
    page: String(page),
    page_size: String(EXCLUDED_PROJECTS_PAGE_SIZE),
  }
  return apiQueryOptions('organisations/me/hidden', {
    queryKey: [...keywordImpactKeys.ledgers, query],
    query,
    schema: excludedProjectsSchema,
    placeholderData: keepPreviousData,
    staleTime: STALE_TIME_MS,
  })
}

export const matchExplanationQuery = (id: string) =>
  apiQueryOptions('projects/:id/why', {
    queryKey: keywordImpactKeys.why(id),
    params: { id },
    schema: matchExplanationSchema,
    staleTime: STALE_TIME_MS,
  })
