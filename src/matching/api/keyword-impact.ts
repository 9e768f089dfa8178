import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import {
  keywordStatsSchema,
  type Ledger,
  ledgerSchema,
  previewSchema,
  whySchema,
} from '#contract/matching/keyword-impact.ts'
import type { PreviewRequest } from '#contract/matching/keyword-requests.ts'
import { request } from '#src/api/http/client.ts'
import { impactKeys } from '#src/api/http/keys.ts'

/** Words change by hand and projects nightly; list changes invalidate this. */
const FRESH_MS = 60_000
export const LEDGER_PAGE_SIZE = 25

export const previewQuery = (body: PreviewRequest) =>
  queryOptions({
    queryKey: impactKeys.preview(body),
    queryFn: ({ signal }) =>
      request('organisations/me/keywords/preview', { method: 'post', json: body, schema: previewSchema, signal }),
    staleTime: FRESH_MS,
  })

/**
 * Effect of words on the report. Refetches per request (debounce the input), aborts the previous one and shows old
 * figures meanwhile (`isPlaceholderData`). Responses are keyed by request, so they cannot arrive out of order.
 */
export function usePreview(body: PreviewRequest, { enabled = true }: { enabled?: boolean } = {}) {
  return useQuery({ ...previewQuery(body), enabled, placeholderData: keepPreviousData })
}

export const keywordStatsQuery = queryOptions({
  queryKey: impactKeys.stats,
  queryFn: ({ signal }) => request('organisations/me/keyword-stats', { schema: keywordStatsSchema, signal }),
  staleTime: FRESH_MS,
})

export type LedgerSearch = {
  readonly days: 7 | 30 | 'all'
  readonly word?: string | undefined
  readonly rescued?: boolean | undefined
  readonly page: number
}

function ledgerParams({ days, word, rescued, page }: LedgerSearch): Record<string, string> {
  return {
    days: String(days),
    ...(word === undefined ? {} : { keyword: word }),
    ...(rescued ? { rescued: 'true' } : {}),
    page: String(page),
    page_size: String(LEDGER_PAGE_SIZE),
  }
}

export const ledgerQuery = (search: LedgerSearch) => {
  const query = ledgerParams(search)
  return queryOptions({
    queryKey: impactKeys.ledger(query),
    queryFn: ({ signal }): Promise<Ledger> =>
      request('organisations/me/hidden', { query, schema: ledgerSchema, signal }),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  })
}

export const matchExplanationQuery = (id: string) =>
  queryOptions({
    queryKey: impactKeys.why(id),
    queryFn: ({ signal }) => request(`projects/${encodeURIComponent(id)}/why`, { schema: whySchema, signal }),
    staleTime: FRESH_MS,
  })
