import { queryOptions } from '@tanstack/react-query'
import { linkedProjectsSchema } from '#contract/project/project-detail.ts'
import { request } from '../http/client.ts'
import { projectKeys } from '../http/keys.ts'

/** Links are found by the load, once a night; whether the report holds the other project changes with the lists too. */
const FRESH_MS = 60_000

/** Projects that are tied to this one: re-tendered, bought every year, much alike. */
export const linkedProjectsQuery = (id: string) =>
  queryOptions({
    queryKey: projectKeys.linked(id),
    queryFn: ({ signal }) =>
      request(`projects/${encodeURIComponent(id)}/linked`, { schema: linkedProjectsSchema, signal }),
    staleTime: FRESH_MS,
  })
