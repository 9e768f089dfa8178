import { queryOptions } from '@tanstack/react-query'
import { apiKeysSchema, madeApiKeySchema, type NewApiKey } from '#contract/account/api-key.ts'
import { request } from '#src/api/http/client.ts'
import { queryClient } from '#src/api/http/query-client.ts'

const PATH = 'organisations/me/api-keys'
/** Here and not with the other keys, which every page loads. */
const KEY = ['organisations', 'api-keys'] as const
/** What the loader of the page has asked is not asked again when the tab is drawn. */
const FRESH_MS = 10_000

/** The organisation's API keys, without their secrets; for super users. */
export const apiKeysQuery = queryOptions({
  queryKey: KEY,
  queryFn: ({ signal }) => request(PATH, { schema: apiKeysSchema, signal }),
  staleTime: FRESH_MS,
})

const listAgain = () => queryClient.invalidateQueries({ queryKey: KEY })

/** Makes a key and answers it; it is told this once. Throws ProblemError. */
export async function makeApiKey(json: NewApiKey): Promise<string> {
  const { key } = await request(`${PATH}/`, { method: 'post', json, schema: madeApiKeySchema })
  await listAgain()
  return key
}

/** The key stops working at once. */
export async function revokeApiKey(id: number): Promise<void> {
  try {
    await request(`${PATH}/${id}/`, { method: 'delete' })
  } finally {
    await listAgain()
  }
}
