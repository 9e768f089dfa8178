import type { QueryKey } from '@tanstack/react-query'
import { type QualificationsPatch, qualificationsSchema } from '#contract/account/qualification.ts'
import { qualificationCoverageSchema } from '#contract/account/qualification-coverage.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { reportKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'

export const qualificationsQuery = apiQueryOptions('qualifications', {
  queryKey: ['qualifications'],
  schema: qualificationsSchema,
  staleTime: 60_000,
})

export const qualificationCoverageQuery = apiQueryOptions('qualifications/coverage', {
  queryKey: ['qualification-coverage'],
  schema: qualificationCoverageSchema,
  staleTime: 60_000,
})

/** Keys of what the qualifications decide: coverage, requirements in documents, verdicts of the report. */
export const QUERY_KEYS_DERIVED_FROM_QUALIFICATIONS: readonly QueryKey[] = [
  qualificationCoverageQuery.queryKey,
  ['documents', 'requirements'],
  reportKeys.all,
]

export async function saveQualifications(json: QualificationsPatch): Promise<void> {
  const stored = await sendApiRequest('qualifications', { method: 'patch', json, schema: qualificationsSchema })
  queryClient.setQueryData(qualificationsQuery.queryKey, stored)
  await Promise.all(
    QUERY_KEYS_DERIVED_FROM_QUALIFICATIONS.map((queryKey) => queryClient.invalidateQueries({ queryKey })),
  )
}
