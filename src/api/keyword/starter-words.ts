import { queryOptions } from '@tanstack/react-query'
import { starterWordsSchema } from '#contract/keyword/starter-word.ts'
import { request } from '../http/client.ts'
import { starterWordKeys } from '../http/keys.ts'

/** Words to begin with for these business subtypes. They change with the product, not while somebody looks. */
export const starterWordsQuery = (types: readonly number[]) =>
  queryOptions({
    queryKey: starterWordKeys.of(types),
    queryFn: ({ signal }) =>
      request('organisations/starter-words', { query: { types: types.join(',') }, schema: starterWordsSchema, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
