import { z } from 'zod/mini'
import { registrationEmailSchema } from './registration-form.ts'
import { USER_ROLES } from './user.ts'

export const DEFAULT_MAX_MEMBERS = 20

export const memberRoleSchema = z.enum(USER_ROLES.map(({ code }) => code))

const memberSchema = z.object({
  id: z.number(),
  name: z.nullable(z.string()),
  email: z.string(),
  role: memberRoleSchema,
  last_seen_at: z.nullable(z.string()),
  is_disabled: z.boolean(),
  is_me: z.boolean(),
  has_second_factor: z.optional(z.boolean()),
})
export type Member = z.output<typeof memberSchema>

const invitationSchema = z.object({
  id: z.number(),
  email: z.string(),
  role: memberRoleSchema,
  invited_by: z.nullable(z.string()),
  sent_at: z.string(),
  expires_at: z.string(),
  is_over: z.boolean(),
})
export type Invitation = z.output<typeof invitationSchema>

/**
 * A person who registered with this organisation's name and requests to join. Name and address are as typed and
 * unverified.
 */
const joinRequestSchema = z.object({ id: z.number(), name: z.string(), email: z.string(), requested_at: z.string() })
export type JoinRequest = z.output<typeof joinRequestSchema>

export const joinRequestAcceptanceSchema = z.object({ role: memberRoleSchema })
export type JoinRequestAcceptance = z.output<typeof joinRequestAcceptanceSchema>

/** `GET /organisations/me/members`, super users only. `most` limits open accounts plus pending invitations. */
export const teamSchema = z.object({
  members: z.array(memberSchema),
  invitations: z.array(invitationSchema),
  requests: z.array(joinRequestSchema),
  most: z.number(),
  requires_second_factor: z.optional(z.boolean()),
})
export type Team = z.output<typeof teamSchema>

export const invitationRequestSchema = z.object({ email: registrationEmailSchema, role: memberRoleSchema })
export type InvitationRequest = z.output<typeof invitationRequestSchema>

/**
 * `PATCH /organisations/me/members/{id}`. `hand_over_to` receives the open pursuits of an account being closed; without
 * it they have no assignee.
 */
export const memberPatchSchema = z.object({
  role: z.optional(memberRoleSchema),
  is_disabled: z.optional(z.boolean()),
  hand_over_to: z.optional(z.nullable(z.number().check(z.int(), z.minimum(1), z.maximum(999_999_999)))),
})
export type MemberPatch = z.output<typeof memberPatchSchema>

/** `POST /organisations/me/leave` closes the caller's account; only a super user can reopen it. */
export const leaveOrganisationRequestSchema = z.object({ confirm: z.literal(true, 'ยืนยันก่อนออกจากองค์กร') })
