import {
  type LineConnectLink,
  type LineGroupCode,
  lineConnectionStateSchema,
  lineConnectLinkSchema,
  lineGroupCodeSchema,
  lineGroupsSchema,
} from '#contract/channels/line.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { invalidateAfter } from '#src/api/http/invalidate-after.ts'

const PATH = 'users/me/line'
const GROUPS_PATH = 'organisations/me/line-groups'

export const lineConnectionQuery = apiQueryOptions('users/me/line', {
  queryKey: ['users', 'line'],
  schema: lineConnectionStateSchema,
  staleTime: 10_000,
})

export const lineGroupsQuery = apiQueryOptions('organisations/me/line-groups', {
  queryKey: ['organisations', 'line-groups'],
  schema: lineGroupsSchema,
  staleTime: 10_000,
})

/** Creates a code. Sending it from a LINE account connects that account. Invalidates earlier codes. */
export const createLineConnectionCode = (): Promise<LineConnectLink> =>
  sendApiRequest(`${PATH}/connect/`, { method: 'post', schema: lineConnectLinkSchema })

export const disconnectLine = (): Promise<undefined> =>
  invalidateAfter(sendApiRequest(`${PATH}/`, { method: 'delete' }), lineConnectionQuery.queryKey)

export const createLineGroupCode = (): Promise<LineGroupCode> =>
  sendApiRequest(`${GROUPS_PATH}/code/`, { method: 'post', schema: lineGroupCodeSchema })

export const disconnectLineGroup = (id: number): Promise<undefined> =>
  invalidateAfter(sendApiRequest(`${GROUPS_PATH}/${id}/`, { method: 'delete' }), lineGroupsQuery.queryKey)
