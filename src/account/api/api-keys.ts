import { apiKeysSchema, createdApiKeySchema, type NewApiKey } from '#contract/account/api-key.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { invalidateAfter } from '#src/api/http/invalidate-after.ts'

const PATH = 'organisations/me/api-keys'

export const apiKeysQuery = apiQueryOptions('organisations/me/api-keys', {
  queryKey: ['organisations', 'api-keys'],
  schema: apiKeysSchema,
  staleTime: 10_000,
})

/** Creates a key and returns its secret, which cannot be retrieved again. Throws ProblemError. */
export async function createApiKey(json: NewApiKey): Promise<string> {
  const created = sendApiRequest(`${PATH}/`, { method: 'post', json, schema: createdApiKeySchema })
  const { key } = await invalidateAfter(created, apiKeysQuery.queryKey)
  return key
}

export const revokeApiKey = (id: number): Promise<undefined> =>
  invalidateAfter(sendApiRequest(`${PATH}/${id}/`, { method: 'delete' }), apiKeysQuery.queryKey)
