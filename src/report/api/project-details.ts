import { queryOptions } from '@tanstack/react-query'
import { AHEAD, type ProjectDetail, projectDetailSchema } from '#contract/report/project-detail.ts'
import { request } from '#src/api/http/client.ts'
import { projectKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'

/** As for the report: loads run nightly and on demand. */
const FRESH_MS = 30_000

const detailPath = (id: string) => `projects/${encodeURIComponent(id)}`

/**
 * Project detail. The request records a visit, so it is refetched on every visit; a preloaded copy serves as
 * placeholder.
 */
export const projectDetailQuery = (id: string) =>
  queryOptions({
    queryKey: projectKeys.detail(id),
    queryFn: ({ signal }) => request(detailPath(id), { schema: projectDetailSchema, signal }),
    placeholderData: () => queryClient.getQueryData<ProjectDetail>(projectKeys.ahead(id)),
    staleTime: FRESH_MS,
  })

/** The same without recording a visit, to preload neighbours that may never be opened. */
export const projectAheadQuery = (id: string) =>
  queryOptions({
    queryKey: projectKeys.ahead(id),
    queryFn: ({ signal }) => request(detailPath(id), { query: AHEAD, schema: projectDetailSchema, signal }),
    staleTime: FRESH_MS,
  })
