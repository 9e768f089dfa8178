import type { User } from '#contract/user/user.ts'
import { userKeys } from '../http/keys.ts'
import { queryClient } from '../http/query-client.ts'
import { withOverlay } from './user-overlay.ts'

/** The user as the screen would show them now, for what happens between two drawings; undefined before they are loaded. */
export function currentUser(): User | undefined {
  const cached = queryClient.getQueryData<User>(userKeys.me)
  return cached && withOverlay(cached)
}
