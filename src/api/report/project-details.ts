import { queryOptions } from '@tanstack/react-query'
import {
  AHEAD,
  linkedProjectsSchema,
  type ProjectDetail,
  projectDetailSchema,
  similarPricesSchema,
} from '#contract/project/project-detail.ts'
import { request } from '../http/client.ts'
import { projectKeys } from '../http/keys.ts'
import { queryClient } from '../http/query-client.ts'

/** Decided prices move with a load, once a night. */
const PRICES_FRESH_MS = 5 * 60_000

/** Discounts of decided projects that resemble this one. */
export const similarPricesQuery = (id: string) =>
  queryOptions({
    queryKey: projectKeys.similarPrices(id),
    queryFn: ({ signal }) =>
      request(`projects/${encodeURIComponent(id)}/similar-prices`, { schema: similarPricesSchema, signal }),
    staleTime: PRICES_FRESH_MS,
  })

/** Links are found by the load, once a night; whether the report holds the other project changes with the lists too. */
const LINKS_FRESH_MS = 60_000

/** Projects that are tied to this one: re-tendered, bought every year, much alike. */
export const linkedProjectsQuery = (id: string) =>
  queryOptions({
    queryKey: projectKeys.linked(id),
    queryFn: ({ signal }) =>
      request(`projects/${encodeURIComponent(id)}/linked`, { schema: linkedProjectsSchema, signal }),
    staleTime: LINKS_FRESH_MS,
  })

/** As the report: loads run once a night and by hand. */
const FRESH_MS = 30_000

const detailPath = (id: string) => `projects/${encodeURIComponent(id)}`

/**
 * Everything about one project. Asking records that the caller has looked; what was asked ahead stands in until the answer comes.
 * Every visit asks again, so that a look is recorded each time.
 */
export const projectDetailQuery = (id: string) =>
  queryOptions({
    queryKey: projectKeys.detail(id),
    queryFn: ({ signal }) => request(detailPath(id), { schema: projectDetailSchema, signal }),
    placeholderData: () => queryClient.getQueryData<ProjectDetail>(projectKeys.ahead(id)),
    staleTime: FRESH_MS,
  })

/** The same without a look: for the neighbours in the list, which may never be opened. */
export const projectAheadQuery = (id: string) =>
  queryOptions({
    queryKey: projectKeys.ahead(id),
    queryFn: ({ signal }) => request(detailPath(id), { query: AHEAD, schema: projectDetailSchema, signal }),
    staleTime: FRESH_MS,
  })
