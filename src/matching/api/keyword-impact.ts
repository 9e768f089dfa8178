import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import {
  type ExclusionLedgerResponse,
  exclusionLedgerSchema,
  keywordPreviewSchema,
  keywordStatsSchema,
  matchExplanationSchema,
} from '#contract/matching/keyword-impact.ts'
import type { KeywordPreviewRequest } from '#contract/matching/keyword-requests.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { keywordImpactKeys } from '#src/api/http/keys.ts'

/**
 * Short, because words are edited at any time and projects change nightly; changes of the lists invalidate the data at
 * once.
 */
const FRESH_MS = 60_000
export const EXCLUDED_PROJECTS_PAGE_SIZE = 25

export const keywordPreviewQuery = (body: KeywordPreviewRequest) =>
  queryOptions({
    queryKey: keywordImpactKeys.preview(body),
    queryFn: ({ signal }) =>
      sendApiRequest('organisations/me/keywords/preview', {
        method: 'post',
        json: body,
        schema: keywordPreviewSchema,
        signal,
      }),
    staleTime: FRESH_MS,
  })

/**
 * Loads the effect of words on the report. Every new request refetches (so debounce the input) and aborts the previous
 * one; old figures remain meanwhile (`isPlaceholderData`). Responses are keyed by request, so none can replace a newer
 * one.
 */
export function useKeywordPreview(body: KeywordPreviewRequest, { enabled = true }: { enabled?: boolean } = {}) {
  return useQuery({ ...keywordPreviewQuery(body), enabled, placeholderData: keepPreviousData })
}

export const keywordStatsQuery = queryOptions({
  queryKey: keywordImpactKeys.stats,
  queryFn: ({ signal }) => sendApiRequest('organisations/me/keyword-stats', { schema: keywordStatsSchema, signal }),
  staleTime: FRESH_MS,
})

export type ExcludedProjectsSearch = {
  readonly days: 7 | 30 | 'all'
  readonly word?: string | undefined
  readonly rescued?: boolean | undefined
  readonly page: number
}

function ledgerParams({ days, word, rescued, page }: ExcludedProjectsSearch): Record<string, string> {
  return {
    days: String(days),
    ...(word === undefined ? {} : { keyword: word }),
    ...(rescued ? { rescued: 'true' } : {}),
    page: String(page),
    page_size: String(EXCLUDED_PROJECTS_PAGE_SIZE),
  }
}

export const excludedProjectsQuery = (search: ExcludedProjectsSearch) => {
  const query = ledgerParams(search)
  return queryOptions({
    queryKey: keywordImpactKeys.ledger(query),
    queryFn: ({ signal }): Promise<ExclusionLedgerResponse> =>
      sendApiRequest('organisations/me/hidden', { query, schema: exclusionLedgerSchema, signal }),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  })
}

export const matchExplanationQuery = (id: string) =>
  queryOptions({
    queryKey: keywordImpactKeys.why(id),
    queryFn: ({ signal }) =>
      sendApiRequest(`projects/${encodeURIComponent(id)}/why`, { schema: matchExplanationSchema, signal }),
    staleTime: FRESH_MS,
  })
