import { isDemo } from '#src/api/demo.ts'
import { startQuery } from '#src/api/query-client.ts'
import { sessionListQuery } from '#src/api/session-list.ts'
import { SETTINGS_TABS } from './settings-tabs.ts'

/** Only the profile asks for more than the account: where the user is signed in. */
export function startSettings({
  location,
}: {
  readonly location: { readonly search: { readonly tab?: unknown } }
}): void {
  const { tab } = location.search
  const opensProfile = tab === 'profile' || !SETTINGS_TABS.some(({ value }) => value === tab)
  if (opensProfile && !isDemo()) startQuery(sessionListQuery)
}
