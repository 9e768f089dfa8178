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

/** Words change by hand and projects once a night; a list that changes asks again by itself (`listsHaveChanged`). */
const FRESH_MS = 60_000
/** Rows of one page of the ledger. */
export const LEDGER_PAGE_SIZE = 25

export const previewQuery = (wanted: PreviewRequest) =>
  queryOptions({
    queryKey: impactKeys.preview(wanted),
    queryFn: ({ signal }) =>
      request('organisations/me/keywords/preview', { method: 'post', json: wanted, schema: previewSchema, signal }),
    staleTime: FRESH_MS,
  })

/**
 * What words would do to the report. Asks again with every other request (wait until typing rests), drops what is under way, and
 * keeps the figures before until the new ones come: `isPlaceholderData` says that they are old. An answer belongs to its request, so none
 * can come out of order.
 */
export function usePreview(wanted: PreviewRequest, { enabled = true }: { enabled?: boolean } = {}) {
  return useQuery({ ...previewQuery(wanted), enabled, placeholderData: keepPreviousData })
}

/** What each word did in the last 30 days, and how many projects a day the report brings. */
export const keywordStatsQuery = queryOptions({
  queryKey: impactKeys.stats,
  queryFn: ({ signal }) => request('organisations/me/keyword-stats', { schema: keywordStatsSchema, signal }),
  staleTime: FRESH_MS,
})

export type LedgerSearch = {
  readonly days: 7 | 30 | 'all'
  /** Only what this word keeps out. */
  readonly word?: string | undefined
  /** Those let in again, instead of those kept out. */
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

/** What exclusion words keep out of the report, newest first. */
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

/** Rule by rule, why a project is or is not in the report. */
export const whyQuery = (id: string) =>
  queryOptions({
    queryKey: impactKeys.why(id),
    queryFn: ({ signal }) => request(`projects/${encodeURIComponent(id)}/why`, { schema: whySchema, signal }),
    staleTime: FRESH_MS,
  })
