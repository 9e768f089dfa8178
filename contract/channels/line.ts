import { z } from 'zod/mini'

/** LINE connections of a user and of the organisation's groups. No response contains a LINE id. */

export const lineConnectionStateSchema = z.object({
  is_available: z.boolean(),
  /** The product's LINE account to add as a friend; null until the first successful request to LINE. */
  account: z.nullable(z.object({ name: z.string(), basic_id: z.string() })),
  /** The caller's LINE account; `name` as shown by LINE, null if unknown. Times are UTC ISO. */
  connection: z.nullable(z.object({ name: z.nullable(z.string()), connected_at: z.string() })),
  is_waiting: z.boolean(),
  /** True if the monthly LINE quota is used up; messages are then sent by email instead. */
  is_quota_out: z.boolean(),
})
export type LineConnectionState = z.output<typeof lineConnectionStateSchema>

export const lineConnectLinkSchema = z.object({
  code: z.string(),
  text: z.string(),
  address: z.string(),
  expires_at: z.string(),
})
export type LineConnectLink = z.output<typeof lineConnectLinkSchema>

export const lineGroupsSchema = z.object({
  is_available: z.boolean(),
  groups: z.array(z.object({ id: z.number(), connected_by: z.nullable(z.string()), connected_at: z.string() })),
  most: z.number(),
})

/** `POST /organisations/me/line-groups/code`: a message for a super user to send in the group. */
export const lineGroupCodeSchema = z.object({ text: z.string(), expires_at: z.string() })
export type LineGroupCode = z.output<typeof lineGroupCodeSchema>
