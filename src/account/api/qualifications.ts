import { queryOptions } from '@tanstack/react-query'
import { type QualificationsPatch, qualificationsSchema } from '#contract/account/qualification.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { queryClient } from '#src/api/http/query-client.ts'

const STALE_TIME_MS = 60_000
const KEY = ['qualifications'] as const

export const qualificationsQuery = queryOptions({
  queryKey: KEY,
  queryFn: ({ signal }) => sendApiRequest('qualifications', { schema: qualificationsSchema, signal }),
  staleTime: STALE_TIME_MS,
})

/** Stores the given parts; the server then compares the requirements in documents again. Throws ProblemError. */
export async function saveQualifications(json: QualificationsPatch): Promise<void> {
  const stored = await sendApiRequest('qualifications', { method: 'patch', json, schema: qualificationsSchema })
  queryClient.setQueryData(KEY, stored)
  await queryClient.invalidateQueries({ queryKey: ['documents', 'requirements'] })
}
