import { type QualificationsPatch, qualificationsSchema } from '#contract/account/qualification.ts'
import { qualificationCoverageSchema } from '#contract/account/qualification-coverage.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { queryClient } from '#src/api/http/query-client.ts'

export const qualificationsQuery = apiQueryOptions('qualifications', {
  queryKey: ['qualifications'],
  schema: qualificationsSchema,
  staleTime: 60_000,
})

const qualificationCoverageKey = ['qualification-coverage']
export const qualificationCoverageQuery = apiQueryOptions('qualifications/coverage', {
  queryKey: qualificationCoverageKey,
  schema: qualificationCoverageSchema,
  staleTime: 60_000,
})

/**
 * Stores the given parts. Verdicts of the report, requirements in documents and the coverage follow. Throws
 * ProblemError.
 */
export async function saveQualifications(json: QualificationsPatch): Promise<void> {
  const stored = await sendApiRequest('qualifications', { method: 'patch', json, schema: qualificationsSchema })
  queryClient.setQueryData(qualificationsQuery.queryKey, stored)
  const dependents = [qualificationCoverageKey, ['documents', 'requirements'], ['reports']]
  await Promise.all(dependents.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}
