import {
  type DataSourceProbe,
  type DataSourceStatusList,
  dataSourceGapsSchema,
  dataSourceProbeSchema,
  dataSourcesSchema,
  type EnableDataSourceRequest,
} from '#contract/operation/sources.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { defineOperatorChange } from './define-operator-change.ts'

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

const pathOf = (source: string) => `sources/${encodeURIComponent(source)}`

type SwitchOnVariables = { readonly source: string; readonly settings: EnableDataSourceRequest }

export const enableDataSource = defineOperatorChange<SwitchOnVariables>({
  name: 'source-on',
  scope: 'sources',
  refetches: KEY,
  send: ({ source, settings }) => [`${pathOf(source)}/on`, 'post', settings],
})

export const runDataSourceAction = defineOperatorChange<{ readonly source: string; readonly act: 'off' | 'run' }>({
  name: 'source-act',
  layer: {
    key: dataSourcesQuery.queryKey,
    apply: (cached: DataSourceStatusList, { source: name, act }): DataSourceStatusList => ({
      ...cached,
      sources: cached.sources.map((source) =>
        source.source === name && act === 'off' ? { ...source, is_on: false } : source,
      ),
    }),
  },
  scope: 'sources',
  failed: 'ทำรายการกับแหล่งข้อมูลไม่สำเร็จ',
  refetches: KEY,
  send: ({ source, act }) => [`${pathOf(source)}/${act}`, 'post'],
})

export const probeDataSource = (source: string): Promise<DataSourceProbe> =>
  sendApiRequest(`operation/${pathOf(source)}/probe`, { method: 'post', schema: dataSourceProbeSchema })
