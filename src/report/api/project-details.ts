import { queryOptions } from '@tanstack/react-query'
import { AHEAD, type ProjectDetail, projectDetailSchema } from '#contract/report/project-detail.ts'
import { request } from '#src/api/http/client.ts'
import { projectKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'

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
