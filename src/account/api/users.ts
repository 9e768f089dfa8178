import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { type User, userSchema } from '#contract/account/user.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { userKeys } from '#src/api/http/keys.ts'
import { getOptimisticQueryData, useOptimisticQueryOptions } from '#src/api/optimistic-changes.ts'

export const userQuery = queryOptions({
  queryKey: userKeys.me,
  queryFn: ({ signal }) => sendApiRequest('users/me', { schema: userSchema, signal }),
  staleTime: 5 * 60_000,
  // Loads changes made on another device, or in a tab that was closed before it could notify this one.
  refetchOnWindowFocus: 'always',
})

/** Returns the user with pending optimistic changes applied. */
export function useUser(): User {
  return useSuspenseQuery(useOptimisticQueryOptions(userQuery)).data
}

/** Same as `useUser`, for use outside rendering; undefined before the user is loaded. */
export function getCurrentUser(): User | undefined {
  return getOptimisticQueryData<User>(userKeys.me)
}
