import { queryOptions } from '@tanstack/react-query'
import { PROJECT_PREFETCH_PARAMS, type ProjectDetail, projectDetailSchema } from '#contract/report/project-detail.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { projectKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'

const FRESH_MS = 30_000

const detailPath = (id: string) => `projects/${encodeURIComponent(id)}`

/** The request records a visit, so it is refetched on every visit; a preloaded copy serves as placeholder. */
export const projectDetailQuery = (id: string) =>
  queryOptions({
    queryKey: projectKeys.detail(id),
    queryFn: ({ signal }) => sendApiRequest(detailPath(id), { schema: projectDetailSchema, signal }),
    placeholderData: () => queryClient.getQueryData<ProjectDetail>(projectKeys.ahead(id)),
    staleTime: FRESH_MS,
  })

/** Project detail without recording a visit, for preloading neighbours that may never be opened. */
export const projectPrefetchQuery = (id: string) =>
  queryOptions({
    queryKey: projectKeys.ahead(id),
    queryFn: ({ signal }) =>
      sendApiRequest(detailPath(id), { query: PROJECT_PREFETCH_PARAMS, schema: projectDetailSchema, signal }),
    staleTime: FRESH_MS,
  })
