import type { QueryKey } from '@tanstack/react-query'
import { queryClient } from './query-client.ts'

/** Invalidates the queries once the request has ended, also after a failure, whose effect on the server is unknown. */
export async function invalidateAfter<Data>(request: Promise<Data>, ...keys: readonly QueryKey[]): Promise<Data> {
  try {
    return await request
  } finally {
    await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
  }
}
