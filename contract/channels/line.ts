import { z } from 'zod/mini'

/** LINE of a user and of their organisation's groups. No answer holds an id of LINE's. */

/** `GET /users/me/line`. */
export const lineStateSchema = z.object({
  /** Whether the operator has set LINE up; all else is empty where not. */
  is_available: z.boolean(),
  /** The account that people add; null until LINE was reached for the first time. */
  account: z.nullable(z.object({ name: z.string(), basic_id: z.string() })),
  /** The caller's LINE. `name`: as LINE shows it; null: not known. UTC ISO. */
  connection: z.nullable(z.object({ name: z.nullable(z.string()), connected_at: z.string() })),
  /** A code was made and is not used up. */
  is_waiting: z.boolean(),
  /** The month's messages are used up: what would come by LINE comes by mail. */
  is_quota_out: z.boolean(),
})
export type LineState = z.output<typeof lineStateSchema>

/** `POST /users/me/line/connect`. */
export const lineConnectSchema = z.object({
  code: z.string(),
  /** What is sent in the chat, the code in it. */
  text: z.string(),
  /** Opens the chat with that text, for a phone to scan or to press. */
  address: z.string(),
  expires_at: z.string(),
})
export type LineConnect = z.output<typeof lineConnectSchema>

/** `GET /organisations/me/line-groups`, for super users. */
export const lineGroupsSchema = z.object({
  is_available: z.boolean(),
  groups: z.array(z.object({ id: z.number(), connected_by: z.nullable(z.string()), connected_at: z.string() })),
  most: z.number(),
})
export type LineGroups = z.output<typeof lineGroupsSchema>

/** `POST /organisations/me/line-groups/code`: a message that a super user sends in the group. */
export const lineGroupCodeSchema = z.object({ text: z.string(), expires_at: z.string() })
export type LineGroupCode = z.output<typeof lineGroupCodeSchema>
