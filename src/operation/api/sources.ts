import {
  type DataSourceProbe,
  type DataSourceStatus,
  type DataSourceStatusList,
  dataSourceGapsSchema,
  dataSourceProbeSchema,
  dataSourcesSchema,
  type EnableDataSourceRequest,
} from '#contract/operation/sources.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { defineOptimisticChange } from '#src/api/optimistic-changes.ts'

const KEY = ['operation', 'sources'] as const

/** Loads the data sources. Refetched on window focus but not polled, so that an idle operator is logged out (R61). */
export const dataSourcesQuery = apiQueryOptions('operation/sources', {
  queryKey: [...KEY, 'list'],
  schema: dataSourcesSchema,
  staleTime: 10_000,
})

export const dataSourceGapsQuery = (source: string) =>
  apiQueryOptions('operation/sources/:source/gaps', {
    queryKey: [...KEY, 'gaps', source],
    params: { source },
    schema: dataSourceGapsSchema,
    staleTime: 10_000,
  })

const refresh = () => queryClient.invalidateQueries({ queryKey: KEY })

const withSource =
  (change: (source: DataSourceStatus, variables: never) => DataSourceStatus) =>
  (cached: DataSourceStatusList, variables: { readonly source: string }): DataSourceStatusList => ({
    ...cached,
    sources: cached.sources.map((source) =>
      source.source === variables.source ? change(source, variables as never) : source,
    ),
  })

type SwitchOnVariables = { readonly source: string; readonly settings: EnableDataSourceRequest }

export const enableDataSource = defineOptimisticChange<SwitchOnVariables, void>({
  name: 'source-on',
  layers: [],
  scope: 'sources',
  tags: () => [],
  send: async ({ source, settings }, call) => {
    await call(`operation/sources/${encodeURIComponent(source)}/on`, { method: 'post', json: settings })
    await refresh()
  },
})

type ActionVariables = { readonly source: string; readonly act: 'off' | 'run' }

export const runDataSourceAction = defineOptimisticChange<ActionVariables, void>({
  name: 'source-act',
  layers: [
    {
      key: dataSourcesQuery.queryKey,
      apply: withSource((source, { act }: ActionVariables) =>
        act === 'off' ? { ...source, is_on: false } : source,
      ) as never,
    },
  ],
  scope: 'sources',
  tags: () => [],
  message: { failed: 'ทำรายการกับแหล่งข้อมูลไม่สำเร็จ' },
  send: async ({ source, act }, call) => {
    await call(`operation/sources/${encodeURIComponent(source)}/${act}`, { method: 'post' })
    await refresh()
  },
})

export async function probeDataSource(source: string): Promise<DataSourceProbe> {
  return await sendApiRequest(`operation/sources/${encodeURIComponent(source)}/probe`, {
    method: 'post',
    schema: dataSourceProbeSchema,
  })
}
