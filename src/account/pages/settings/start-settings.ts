import { apiKeysQuery } from '#src/account/api/api-keys.ts'
import { isDemo } from '#src/account/api/demo.ts'
import { emailChangeQuery } from '#src/account/api/email-change.ts'
import { teamQuery } from '#src/account/api/members.ts'
import { organisationQuery } from '#src/account/api/organisations.ts'
import { pursuitSettingsQuery } from '#src/account/api/pursuit-settings.ts'
import { qualificationsQuery } from '#src/account/api/qualifications.ts'
import { rememberedDevicesQuery, secondFactorQuery } from '#src/account/api/second-factor.ts'
import { sessionListQuery } from '#src/account/api/session-list.ts'
import { currentUser } from '#src/account/api/users.ts'
import { webhooksQuery } from '#src/account/api/webhooks.ts'
import { queryClient, startQuery } from '#src/api/http/query-client.ts'
import { settingsTabsFor } from './settings-page.tsx'

function accessibleTabs(): ReturnType<typeof settingsTabsFor> {
  const user = currentUser()
  const organisation = queryClient.getQueryData(organisationQuery.queryKey)
  return user && organisation ? settingsTabsFor(organisation, user.role) : []
}

export function startSettings({
  location,
}: {
  readonly location: { readonly search: { readonly tab?: unknown } }
}): void {
  const { tab } = location.search
  // Requests of a tab that the user may not open would be rejected; the page shows the profile instead.
  const isOpen = accessibleTabs().some(({ value }) => value === tab)
  if (isOpen && tab === 'team') startQuery(teamQuery)
  if (isOpen && tab === 'pursuits') startQuery(pursuitSettingsQuery)
  if (isOpen && tab === 'qualification') startQuery(qualificationsQuery)
  if (isOpen && tab === 'api-keys') startQuery(apiKeysQuery)
  if (isOpen && tab === 'webhooks') startQuery(webhooksQuery)
  if (isDemo()) return
  if (tab === 'profile' || !isOpen) startQuery(emailChangeQuery)
  if (tab !== 'security') return
  startQuery(secondFactorQuery)
  startQuery(rememberedDevicesQuery)
  startQuery(sessionListQuery)
}
