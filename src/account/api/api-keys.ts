import { apiKeysSchema, createdApiKeySchema, type NewApiKey } from '#contract/account/api-key.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { queryClient } from '#src/api/http/query-client.ts'

const PATH = 'organisations/me/api-keys'

export const apiKeysQuery = apiQueryOptions('organisations/me/api-keys', {
  queryKey: ['organisations', 'api-keys'],
  schema: apiKeysSchema,
  staleTime: 10_000,
})

const listAgain = () => queryClient.invalidateQueries({ queryKey: apiKeysQuery.queryKey })

/** Creates a key and returns its secret, which cannot be retrieved again. Throws ProblemError. */
export async function createApiKey(json: NewApiKey): Promise<string> {
  const { key } = await sendApiRequest(`${PATH}/`, { method: 'post', json, schema: createdApiKeySchema })
  await listAgain()
  return key
}

export async function revokeApiKey(id: number): Promise<void> {
  try {
    await sendApiRequest(`${PATH}/${id}/`, { method: 'delete' })
  } finally {
    await listAgain()
  }
}
