import { queryOptions } from '@tanstack/react-query'
import { apiKeysSchema, createdApiKeySchema, type NewApiKey } from '#contract/account/api-key.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { queryClient } from '#src/api/http/query-client.ts'

const PATH = 'organisations/me/api-keys'
const KEY = ['organisations', 'api-keys'] as const
const STALE_TIME_MS = 10_000

/** API keys without their secrets; for super users only. */
export const apiKeysQuery = queryOptions({
  queryKey: KEY,
  queryFn: ({ signal }) => sendApiRequest(PATH, { schema: apiKeysSchema, signal }),
  staleTime: STALE_TIME_MS,
})

const listAgain = () => queryClient.invalidateQueries({ queryKey: KEY })

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
