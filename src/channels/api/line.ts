import { queryOptions } from '@tanstack/react-query'
import {
  type LineConnect,
  type LineGroupCode,
  lineConnectSchema,
  lineGroupCodeSchema,
  lineGroupsSchema,
  lineStateSchema,
} from '#contract/channels/line.ts'
import { request } from '#src/api/http/client.ts'
import { queryClient } from '#src/api/http/query-client.ts'

const PATH = 'users/me/line'
const GROUPS_PATH = 'organisations/me/line-groups'
/** Here and not with the other keys, which every page loads. */
const KEY = ['users', 'line'] as const
const GROUPS_KEY = ['organisations', 'line-groups'] as const

/** The caller's LINE, without any id of it. */
export const lineQuery = queryOptions({
  queryKey: KEY,
  queryFn: ({ signal }) => request(PATH, { schema: lineStateSchema, signal }),
  staleTime: 10_000,
})

/** Groups of the organisation in which pasted numbers are answered; for super users. */
export const lineGroupsQuery = queryOptions({
  queryKey: GROUPS_KEY,
  queryFn: ({ signal }) => request(GROUPS_PATH, { schema: lineGroupsSchema, signal }),
  staleTime: 10_000,
})

/** Makes a code that connects the LINE from which it is sent; one of before works no more. */
export const connectLine = (): Promise<LineConnect> =>
  request(`${PATH}/connect/`, { method: 'post', schema: lineConnectSchema })

/** Nothing is sent to the caller's LINE any more. */
export async function disconnectLine(): Promise<void> {
  try {
    await request(`${PATH}/`, { method: 'delete' })
  } finally {
    await queryClient.invalidateQueries({ queryKey: KEY })
  }
}

/** Makes a code that connects the group in which it is sent. */
export const groupCode = (): Promise<LineGroupCode> =>
  request(`${GROUPS_PATH}/code/`, { method: 'post', schema: lineGroupCodeSchema })

/** Nothing is answered in the group any more. */
export async function disconnectGroup(id: number): Promise<void> {
  try {
    await request(`${GROUPS_PATH}/${id}/`, { method: 'delete' })
  } finally {
    await queryClient.invalidateQueries({ queryKey: GROUPS_KEY })
  }
}
