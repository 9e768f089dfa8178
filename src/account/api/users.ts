import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { type User, userSchema } from '#contract/account/user.ts'
import { request } from '#src/api/http/client.ts'
import { userKeys } from '#src/api/http/keys.ts'
import { overlaidData, useOverlaid } from '#src/api/optimistic.ts'

/** The signed-in user. Loaded by the route guard before any screen that needs it. */
export const userQuery = queryOptions({
  queryKey: userKeys.me,
  queryFn: ({ signal }) => request('users/me', { schema: userSchema, signal }),
  staleTime: 5 * 60_000,
  // Marks made meanwhile on another device, or in a tab that was closed before it could tell this one.
  refetchOnWindowFocus: 'always',
})

/** The user as the screen shows it: what was changed a moment ago is in it already. */
export function useUser(): User {
  return useSuspenseQuery(useOverlaid(userQuery)).data
}

/** The user as the screen would show them now, for what happens between two drawings; undefined before they are loaded. */
export function currentUser(): User | undefined {
  return overlaidData<User>(userKeys.me)
}
