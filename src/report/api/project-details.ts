import { type ComparablePriceScope, similarProjectPricesSchema } from '#contract/catalogue/similar-prices.ts'
import {
  linkedProjectsSchema,
  PROJECT_PREFETCH_PARAMS,
  type ProjectDetail,
  projectDetailSchema,
} from '#contract/report/project-detail.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { projectKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'

const STALE_TIME_MS = 30_000

/** The request records a visit, so it is repeated on every visit; a preloaded copy serves as placeholder. */
export const projectDetailQuery = (id: string) =>
  apiQueryOptions('projects/:id', {
    queryKey: projectKeys.detail(id),
    params: { id },
    schema: projectDetailSchema,
    placeholderData: () => queryClient.getQueryData<ProjectDetail>(projectKeys.ahead(id)),
    staleTime: STALE_TIME_MS,
  })

/** Loads a project without recording a visit, for preloading neighbours that may never be opened. */
export const projectPrefetchQuery = (id: string) =>
  apiQueryOptions('projects/:id', {
    queryKey: projectKeys.ahead(id),
    params: { id },
    query: PROJECT_PREFETCH_PARAMS,
    schema: projectDetailSchema,
    staleTime: STALE_TIME_MS,
  })

/** Uses the scope `step`, else the narrowest one with enough projects. The user's target price is not sent. */
export const similarPricesQuery = (id: string, step?: ComparablePriceScope) =>
  apiQueryOptions('projects/:id/similar-prices', {
    queryKey: [...projectKeys.all, 'similar-prices', id, step],
    params: { id },
    ...(step && { query: { step } }),
    schema: similarProjectPricesSchema,
    staleTime: 5 * 60_000,
  })

export const linkedProjectsQuery = (id: string) =>
  apiQueryOptions('projects/:id/linked', {
    queryKey: [...projectKeys.all, 'linked', id],
    params: { id },
    schema: linkedProjectsSchema,
    // Links change nightly, but any watch-list edit may add the linked project to the report or remove it.
    staleTime: 60_000,
  })
