import { apiKeysQuery } from '#src/api/account/api-keys.ts'
import { emailChangeQuery } from '#src/api/account/email-change.ts'
import { teamQuery } from '#src/api/account/members.ts'
import { qualificationsQuery } from '#src/api/account/qualifications.ts'
import { devicesQuery, secondFactorQuery } from '#src/api/account/second-factor.ts'
import { sessionListQuery } from '#src/api/account/session-list.ts'
import { webhooksQuery } from '#src/api/account/webhooks.ts'
import { startQuery } from '#src/api/http/query-client.ts'
import { isDemo } from '#src/api/keyword/demo.ts'
import { pursuitSettingsQuery } from '#src/api/pursuit/pursuit-settings.ts'
import { SETTINGS_TABS } from './settings-page.tsx'

/** The profile asks for a change of the mail address, ความปลอดภัย what the account is opened with and where it is open, the team who is in it, งานของเรา how it works, คุณสมบัติบริษัท what it brings to a tender, คีย์ API which keys there are, เว็บฮุก which webhooks; the other tabs for nothing but the account. */
export function startSettings({
  location,
}: {
  readonly location: { readonly search: { readonly tab?: unknown } }
}): void {
  const { tab } = location.search
  if (tab === 'team') startQuery(teamQuery)
  if (tab === 'pursuits') startQuery(pursuitSettingsQuery)
  if (tab === 'qualification') startQuery(qualificationsQuery)
  if (tab === 'api-keys') startQuery(apiKeysQuery)
  if (tab === 'webhooks') startQuery(webhooksQuery)
  if (isDemo()) return
  if (tab === 'profile' || !SETTINGS_TABS.some(({ value }) => value === tab)) startQuery(emailChangeQuery)
  if (tab !== 'security') return
  startQuery(secondFactorQuery)
  startQuery(devicesQuery)
  startQuery(sessionListQuery)
}
