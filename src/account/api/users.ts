import { useSuspenseQuery } from '@tanstack/react-query'
import { type User, userSchema } from '#contract/account/user.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { userKeys } from '#src/api/http/keys.ts'
import { getOptimisticQueryData, useOptimisticQueryOptions } from '#src/api/optimistic-changes.ts'

export const userQuery = apiQueryOptions('users/me', {
  queryKey: userKeys.me,
  schema: userSchema,
  staleTime: 5 * 60_000,
  // Refetch to load changes made on another device, or in a tab that was closed before it could notify this one.
  refetchOnWindowFocus: 'always',
})

export function useUser(): User {
  return useSuspenseQuery(useOptimisticQueryOptions(userQuery)).data
}

/** Returns the same as `useUser`, for use outside rendering; undefined before the user is loaded. */
export function getCurrentUser(): User | undefined {
  return getOptimisticQueryData<User>(userKeys.me)
}
