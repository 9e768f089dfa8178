import { queryOptions } from '@tanstack/react-query'
import { similarPricesSchema } from '#contract/project/project-detail.ts'
import { request } from '../http/client.ts'
import { projectKeys } from '../http/keys.ts'

/** Decided prices move with a load, once a night. */
const FRESH_MS = 5 * 60_000

/** Discounts of decided projects that resemble this one. */
export const similarPricesQuery = (id: string) =>
  queryOptions({
    queryKey: projectKeys.similarPrices(id),
    queryFn: ({ signal }) =>
      request(`projects/${encodeURIComponent(id)}/similar-prices`, { schema: similarPricesSchema, signal }),
    staleTime: FRESH_MS,
  })
