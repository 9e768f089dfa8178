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

const qualificationCoverageKey = ['qualification-coverage']
export const qualificationCoverageQuery = apiQueryOptions('qualifications/coverage', {
  queryKey: qualificationCoverageKey,
  schema: qualificationCoverageSchema,
  staleTime: 60_000,
})

/** Marks as stale what the qualifications decide: verdicts of the report, requirements in documents, coverage. */
export async function invalidateQualificationDependents(): Promise<void> {
  const dependents = [qualificationCoverageKey, ['documents', 'requirements'], reportKeys.all]
  await Promise.all(dependents.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}

/**
 * Stores the given parts. Verdicts of the report, requirements in documents and the coverage follow. Throws
 * ProblemError.
 */
export async function saveQualifications(json: QualificationsPatch): Promise<void> {
  const stored = await sendApiRequest('qualifications', { method: 'patch', json, schema: qualificationsSchema })
  queryClient.setQueryData(qualificationsQuery.queryKey, stored)
  await invalidateQualificationDependents()
}
