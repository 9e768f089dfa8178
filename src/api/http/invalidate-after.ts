import type { QueryKey } from '@tanstack/react-query'
import { queryClient } from './query-client.ts'

/**
 * Invalidates the queries once the request has ended, also after a failure, whose effect on the server is unknown. Only
 * after success it waits for them: while the server is unreachable, they would delay the error until it is back.
 */
export async function invalidateAfter<Data>(request: Promise<Data>, ...keys: readonly QueryKey[]): Promise<Data> {
  const invalidate = () => Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
  const data = await request.catch((error: unknown) => {
    void invalidate()
    throw error
  })
  await invalidate()
  return data
}
