import { type QualificationsPatch, qualificationsSchema } from '#contract/account/qualification.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { queryClient } from '#src/api/http/query-client.ts'

export const qualificationsQuery = apiQueryOptions('qualifications', {
  queryKey: ['qualifications'],
  schema: qualificationsSchema,
  staleTime: 60_000,
})

/**
 * Stores the given parts. The server then compares all qualifications with the requirements in documents again. Throws
 * ProblemError.
 */
export async function saveQualifications(json: QualificationsPatch): Promise<void> {
  const stored = await sendApiRequest('qualifications', { method: 'patch', json, schema: qualificationsSchema })
  queryClient.setQueryData(qualificationsQuery.queryKey, stored)
  await queryClient.invalidateQueries({ queryKey: ['documents', 'requirements'] })
}
