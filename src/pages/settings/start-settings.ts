import { sessionListQuery } from '#src/api/account/session-list.ts'
import { startQuery } from '#src/api/http/query-client.ts'
import { isDemo } from '#src/api/keyword/demo.ts'
import { SETTINGS_TABS } from './settings-page.tsx'

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
