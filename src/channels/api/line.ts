import { queryOptions } from '@tanstack/react-query'
import {
  type LineConnectLink,
  type LineGroupCode,
  lineConnectionStateSchema,
  lineConnectLinkSchema,
  lineGroupCodeSchema,
  lineGroupsSchema,
} from '#contract/channels/line.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { queryClient } from '#src/api/http/query-client.ts'

const PATH = 'users/me/line'
const GROUPS_PATH = 'organisations/me/line-groups'
/** Defined here rather than with the shared keys, which every page loads. */
const KEY = ['users', 'line'] as const
const GROUPS_KEY = ['organisations', 'line-groups'] as const

export const lineStateQuery = queryOptions({
  queryKey: KEY,
  queryFn: ({ signal }) => sendApiRequest(PATH, { schema: lineConnectionStateSchema, signal }),
  staleTime: 10_000,
})

export const lineGroupsQuery = queryOptions({
  queryKey: GROUPS_KEY,
  queryFn: ({ signal }) => sendApiRequest(GROUPS_PATH, { schema: lineGroupsSchema, signal }),
  staleTime: 10_000,
})

/** Creates a code; the LINE account that sends it is connected. Invalidates earlier codes. */
export const createLineConnectCode = (): Promise<LineConnectLink> =>
  sendApiRequest(`${PATH}/connect/`, { method: 'post', schema: lineConnectLinkSchema })

export async function disconnectLine(): Promise<void> {
  try {
    await sendApiRequest(`${PATH}/`, { method: 'delete' })
  } finally {
    await queryClient.invalidateQueries({ queryKey: KEY })
  }
}

export const createLineGroupCode = (): Promise<LineGroupCode> =>
  sendApiRequest(`${GROUPS_PATH}/code/`, { method: 'post', schema: lineGroupCodeSchema })

export async function disconnectLineGroup(id: number): Promise<void> {
  try {
    await sendApiRequest(`${GROUPS_PATH}/${id}/`, { method: 'delete' })
  } finally {
    await queryClient.invalidateQueries({ queryKey: GROUPS_KEY })
  }
}
