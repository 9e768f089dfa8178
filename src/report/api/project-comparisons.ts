import { queryOptions } from '@tanstack/react-query'
import { type SimilarStep, similarPricesSchema } from '#contract/catalogue/similar-prices.ts'
import { linkedProjectsSchema } from '#contract/report/project-detail.ts'
import { request } from '#src/api/http/client.ts'
import { projectKeys } from '#src/api/http/keys.ts'

/** Decided prices move with a load, once a night. */
const PRICES_FRESH_MS = 5 * 60_000

/** Prices of decided projects that resemble this one; of the circle `step`, else of the narrowest that holds enough. The user's own price is no part of it. */
export const similarPricesQuery = (id: string, step?: SimilarStep) =>
  queryOptions({
    queryKey: projectKeys.similarPrices(id, step),
    queryFn: ({ signal }) =>
      request(`projects/${encodeURIComponent(id)}/similar-prices`, {
        ...(step && { query: { step } }),
        schema: similarPricesSchema,
        signal,
      }),
    staleTime: PRICES_FRESH_MS,
  })

/** Links change once a night with the load, but whether the report holds the other project changes with every edit of the watch lists: so a minute. */
const LINKS_FRESH_MS = 60_000

/** Projects that are tied to this one: re-tendered, bought every year, much alike. */
export const linkedProjectsQuery = (id: string) =>
  queryOptions({
    queryKey: projectKeys.linked(id),
    queryFn: ({ signal }) =>
      request(`projects/${encodeURIComponent(id)}/linked`, { schema: linkedProjectsSchema, signal }),
    staleTime: LINKS_FRESH_MS,
  })
