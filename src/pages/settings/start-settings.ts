import { teamQuery } from '#src/api/account/members.ts'
import { sessionListQuery } from '#src/api/account/session-list.ts'
import { startQuery } from '#src/api/http/query-client.ts'
import { isDemo } from '#src/api/keyword/demo.ts'
import { SETTINGS_TABS } from './settings-page.tsx'

/** The profile asks where the user is signed in, the team who is in it; the other tabs for nothing but the account. */
export function startSettings({
  location,
}: {
  readonly location: { readonly search: { readonly tab?: unknown } }
}): void {
  const { tab } = location.search
  if (tab === 'team') startQuery(teamQuery)
  const opensProfile = tab === 'profile' || !SETTINGS_TABS.some(({ value }) => value === tab)
  if (opensProfile && !isDemo()) startQuery(sessionListQuery)
}
