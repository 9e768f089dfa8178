import { queryOptions } from '@tanstack/react-query'
import {
  type OperatedSource,
  type OperatedSourceList,
  type SourceProbe,
  type SourceSwitchOn,
  sourceGapsSchema,
  sourceProbeSchema,
  sourcesSchema,
} from '#contract/operation/sources.ts'
import { request } from '#src/api/http/client.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { defineChange } from '#src/api/optimistic.ts'

/** Query keys of the operator's screens, defined here because other users never load them. */
const keys = {
  all: ['operation', 'sources'] as const,
  list: ['operation', 'sources', 'list'] as const,
  gaps: (source: string) => ['operation', 'sources', 'gaps', source] as const,
}

/** Refetched on window focus but not polled, so that an idle operator is logged out (R61). */
export const sourcesQuery = queryOptions({
  queryKey: keys.list,
  queryFn: ({ signal }) => request('operation/sources', { schema: sourcesSchema, signal }),
  staleTime: 10_000,
})

export const sourceGapsQuery = (source: string) =>
  queryOptions({
    queryKey: keys.gaps(source),
    queryFn: ({ signal }) =>
      request(`operation/sources/${encodeURIComponent(source)}/gaps`, { schema: sourceGapsSchema, signal }),
    staleTime: 10_000,
  })

const refresh = () => queryClient.invalidateQueries({ queryKey: keys.all })

const withSource =
  (change: (source: OperatedSource, variables: never) => OperatedSource) =>
  (cached: OperatedSourceList, variables: { readonly source: string }): OperatedSourceList => ({
    ...cached,
    sources: cached.sources.map((source) =>
      source.source === variables.source ? change(source, variables as never) : source,
    ),
  })

type SwitchOnVariables = { readonly source: string; readonly settings: SourceSwitchOn }

export const switchSourceOn = defineChange<SwitchOnVariables, void>({
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

export const runSourceAction = defineChange<ActionVariables, void>({
  name: 'source-act',
  layers: [
    {
      key: keys.list,
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

export async function probeSource(source: string): Promise<SourceProbe> {
  return await request(`operation/sources/${encodeURIComponent(source)}/probe`, {
    method: 'post',
    schema: sourceProbeSchema,
  })
}
