import { queryOptions, useQuery } from '@tanstack/react-query'
import { type PursuitSettingsPatch, pursuitSettingsSchema } from '#contract/account/pursuit-settings.ts'
import { request } from '#src/api/http/client.ts'
import { pursuitKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { isDemo } from './demo.ts'

/** Colleagues' changes come with the change poll, which makes these stale. */
const FRESH_MS = 60_000

/** Stages, checklist to begin with, members, and whether the user sees prices. */
export const pursuitSettingsQuery = queryOptions({
  queryKey: pursuitKeys.settings,
  queryFn: ({ signal }) => request('pursuits/settings', { schema: pursuitSettingsSchema, signal }),
  staleTime: FRESH_MS,
})

/** The team's settings where something names stages or members; elsewhere, and in the demo, which has no team, they are not asked for. */
export const useTeam = (isAsked: boolean) =>
  useQuery({ ...pursuitSettingsQuery, enabled: isAsked && !isDemo() }, queryClient)

/** Stores what is sent of the settings. Throws ProblemError with the reason of a refusal. */
export async function savePursuitSettings(json: PursuitSettingsPatch): Promise<void> {
  const settings = await request('pursuits/settings', { method: 'patch', json, schema: pursuitSettingsSchema })
  queryClient.setQueryData(pursuitKeys.settings, settings)
}
