import { z } from 'zod/mini'
import { registerEmailSchema } from './registration-form.ts'
import { USER_ROLES } from './user.ts'

/** Members of an organisation, invitations on their way included, while its package says nothing else. */
export const DEFAULT_MOST_MEMBERS = 20

export const memberRoleSchema = z.enum(USER_ROLES.map(({ code }) => code))

const memberSchema = z.object({
  id: z.number(),
  /** First and last name; null while neither is known. */
  name: z.nullable(z.string()),
  email: z.string(),
  role: memberRoleSchema,
  /** UTC ISO; null: never. */
  last_seen_at: z.nullable(z.string()),
  is_disabled: z.boolean(),
  is_me: z.boolean(),
  /** Whether a password alone does not open the account. */
  has_second_factor: z.optional(z.boolean()),
})
export type Member = z.output<typeof memberSchema>

const invitationSchema = z.object({
  id: z.number(),
  email: z.string(),
  role: memberRoleSchema,
  /** Name or e-mail address; null when the account is gone. */
  invited_by: z.nullable(z.string()),
  sent_at: z.string(),
  expires_at: z.string(),
  /** The link does not work any more. */
  is_over: z.boolean(),
})
export type Invitation = z.output<typeof invitationSchema>

/** Somebody who registered with the name of the organisation and asks to be let in; name and address as typed, checked by nobody. */
const joinRequestSchema = z.object({ id: z.number(), name: z.string(), email: z.string(), requested_at: z.string() })
export type JoinRequest = z.output<typeof joinRequestSchema>

/** `POST /organisations/me/join-requests/{id}/accept`: as what. */
export const acceptJoinRequestSchema = z.object({ role: memberRoleSchema })
export type AcceptJoinRequest = z.output<typeof acceptJoinRequestSchema>

/** `GET /organisations/me/members`: of super users. `most`: members with an open account and invitations on their way together. */
export const teamSchema = z.object({
  members: z.array(memberSchema),
  invitations: z.array(invitationSchema),
  /** That nobody has decided, the oldest first. */
  requests: z.array(joinRequestSchema),
  most: z.number(),
  /** Everybody needs a second factor. */
  requires_second_factor: z.optional(z.boolean()),
})
export type Team = z.output<typeof teamSchema>

/** `POST /organisations/me/invitations`. */
export const inviteSchema = z.object({ email: registerEmailSchema, role: memberRoleSchema })
export type Invite = z.output<typeof inviteSchema>

/** `PATCH /organisations/me/members/{id}`: role, or open and closed. `hand_over_to`: who takes the open pursuits of an account that is closed; nobody when it is not said. */
export const memberChangeSchema = z.object({
  role: z.optional(memberRoleSchema),
  is_disabled: z.optional(z.boolean()),
  hand_over_to: z.optional(z.nullable(z.number().check(z.int(), z.minimum(1), z.maximum(999_999_999)))),
})
export type MemberChange = z.output<typeof memberChangeSchema>

/** `POST /organisations/me/leave`: the caller's own account is closed, and only a super user opens it again. */
export const leaveSchema = z.object({ confirm: z.literal(true, 'ยืนยันก่อนออกจากองค์กร') })
