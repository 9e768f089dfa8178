import { coverageMissesSchema, coverageSchema, projectCoverageSchema } from '#contract/catalogue/coverage.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'

/** The server computes the figures at most once a minute. */
const STALE_TIME_MS = 60_000
const KEY = ['coverage'] as const

export const coverageQuery = apiQueryOptions('coverage', {
  queryKey: [...KEY, 'figures'],
  schema: coverageSchema,
  staleTime: STALE_TIME_MS,
})

export const coverageMissesQuery = (day: string, isFollowed: boolean) =>
  apiQueryOptions('coverage/misses', {
    queryKey: [...KEY, 'misses', day, isFollowed],
    query: { day, ...(isFollowed && { followed: 'true' }) },
    schema: coverageMissesSchema,
    staleTime: STALE_TIME_MS,
  })

export const projectCoverageQuery = (id: string) =>
  apiQueryOptions('coverage/projects/:id', {
    queryKey: [...KEY, 'project', id],
    params: { id },
    schema: projectCoverageSchema,
    staleTime: STALE_TIME_MS,
  })
