import { useQuery } from '@tanstack/react-query'
import { type PursuitSettingsPatch, pursuitSettingsSchema } from '#contract/account/pursuit-settings.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { pursuitKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { isDemoSession } from './demo.ts'

/** Long, because polling for changes invalidates the settings when a colleague edits them. */
const STALE_TIME_MS = 60_000

export const pursuitSettingsQuery = apiQueryOptions('pursuits/settings', {
  queryKey: pursuitKeys.settings,
  schema: pursuitSettingsSchema,
  staleTime: STALE_TIME_MS,
})

/** Loads the team unless `isEnabled` is false, as in the demo, which has no team. */
export const usePursuitSettings = (isEnabled: boolean) =>
  useQuery({ ...pursuitSettingsQuery, enabled: isEnabled && !isDemoSession() }, queryClient)

export async function savePursuitSettings(json: PursuitSettingsPatch): Promise<void> {
  const settings = await sendApiRequest('pursuits/settings', { method: 'patch', json, schema: pursuitSettingsSchema })
  queryClient.setQueryData(pursuitKeys.settings, settings)
}
