import { queryOptions } from '@tanstack/react-query'
import { type ComparablePriceScope, similarProjectPricesSchema } from '#contract/catalogue/similar-prices.ts'
import { linkedProjectsSchema } from '#contract/report/project-detail.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { projectKeys } from '#src/api/http/keys.ts'

const PRICES_FRESH_MS = 5 * 60_000

/**
 * Award prices of similar projects: from the scope `step`, else the narrowest one with enough projects. The user's
 * target price is not sent.
 */
export const similarPricesQuery = (id: string, step?: ComparablePriceScope) =>
  queryOptions({
    queryKey: projectKeys.similarPrices(id, step),
    queryFn: ({ signal }) =>
      sendApiRequest(`projects/${encodeURIComponent(id)}/similar-prices`, {
        ...(step && { query: { step } }),
        schema: similarProjectPricesSchema,
        signal,
      }),
    staleTime: PRICES_FRESH_MS,
  })

/**
 * Links change nightly, but the other project's presence in the report changes with every watch-list edit; hence one
 * minute.
 */
const LINKS_FRESH_MS = 60_000

export const linkedProjectsQuery = (id: string) =>
  queryOptions({
    queryKey: projectKeys.linked(id),
    queryFn: ({ signal }) =>
      sendApiRequest(`projects/${encodeURIComponent(id)}/linked`, { schema: linkedProjectsSchema, signal }),
    staleTime: LINKS_FRESH_MS,
  })
