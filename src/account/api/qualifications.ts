import { queryOptions } from '@tanstack/react-query'
import { type QualificationsPatch, qualificationsSchema } from '#contract/account/qualification.ts'
import { request } from '#src/api/http/client.ts'
import { queryClient } from '#src/api/http/query-client.ts'

const FRESH_MS = 60_000
/** Here and not with the other keys, which every page loads. */
const KEY = ['qualifications'] as const

/** What the organisation says of itself. */
export const qualificationsQuery = queryOptions({
  queryKey: KEY,
  queryFn: ({ signal }) => request('qualifications', { schema: qualificationsSchema, signal }),
  staleTime: FRESH_MS,
})

/** Stores what is sent of them; what documents want is compared anew. Throws ProblemError with the reason of a refusal. */
export async function saveQualifications(json: QualificationsPatch): Promise<void> {
  const stored = await request('qualifications', { method: 'patch', json, schema: qualificationsSchema })
  queryClient.setQueryData(KEY, stored)
  await queryClient.invalidateQueries({ queryKey: ['documents', 'requirements'] })
}
