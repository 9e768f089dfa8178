import { z } from 'zod/mini'
import { invitationAcceptanceSchema, invitationPreviewSchema } from '#contract/account/invitation.ts'
import {
  invitationRequestSchema,
  joinRequestAcceptanceSchema,
  leaveOrganisationRequestSchema,
  memberPatchSchema,
  teamSchema,
} from '#contract/account/member.ts'
import { sessionTokensSchema } from '#contract/account/session.ts'
import type { SessionService } from '#server/account/session/create-sessions.ts'
import { sendSessionResponse } from '#server/account/session/send-session-response.ts'
import { parseRowId } from '#server/platform/route/parse-row-id.ts'
import { getRequestOrigin } from '#server/platform/route/request-origin.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { changeMember, closeOwnAccount, loadTeam, type MemberContext } from './change-member.ts'
import { getInvitationByToken, joinByInvitation } from './join-by-invitation.ts'
import { acceptJoinRequest, refuseJoinRequest } from './join-requests.ts'
import { renewInvitation, revokeMemberInvitation, sendMemberInvitation } from './member-invitations.ts'

type MemberOptions = MemberContext & {
  readonly sessions: SessionService
  readonly secureCookies: boolean
}

const tags = ['member']
const config = { role: 'super_user', demo: 'forbidden' } as const
/** Membership changes require a fresh login, so that an unattended session is not enough. */
const fresh = { ...config, fresh: true } as const
const byId = z.object({ id: z.string() })
const byToken = z.object({ token: z.string() })
export function memberRoutes(app: RouteApp, options: MemberOptions): void {
  app.get(
    '/organisations/me/members',
    { config, schema: { tags, summary: 'List members and open invitations', response: { 200: teamSchema } } },
    async (request) => loadTeam(options, await options.actorOf(request)),
  )
  app.patch(
    '/organisations/me/members/:id',
    {
      config: fresh,
      schema: {
        tags,
        summary: "Change a member's role, or close or reopen their account",
        params: byId,
        body: memberPatchSchema,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const actor = await options.actorOf(request)
      await changeMember(options, actor, parseRowId(request.params.id), request.body, getRequestOrigin(request))
      return reply.code(204).send()
    },
  )
  app.post(
    '/organisations/me/leave',
    {
      config: { demo: 'forbidden', fresh: true },
      schema: {
        tags,
        summary: "Close the caller's own account",
        body: leaveOrganisationRequestSchema,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await closeOwnAccount(options, await options.actorOf(request), getRequestOrigin(request))
      return reply.code(204).send()
    },
  )
  app.post(
    '/organisations/me/invitations',
    {
      config: fresh,
      schema: {
        tags,
        summary: 'Invite a person by e-mail',
        body: invitationRequestSchema,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await sendMemberInvitation(options, await options.actorOf(request), request.body, getRequestOrigin(request))
      return reply.code(204).send()
    },
  )
  app.post(
    '/organisations/me/invitations/:id/resend',
    {
      config: fresh,
      schema: { tags, summary: 'Resend an invitation with a new link', params: byId, response: { 204: z.undefined() } },
    },
    async (request, reply) => {
      await renewInvitation(
        options,
        await options.actorOf(request),
        parseRowId(request.params.id),
        getRequestOrigin(request),
      )
      return reply.code(204).send()
    },
  )
  app.delete(
    '/organisations/me/invitations/:id',
    { config, schema: { tags, summary: 'Revoke an invitation', params: byId, response: { 204: z.undefined() } } },
    async (request, reply) => {
      await revokeMemberInvitation(
        options,
        await options.actorOf(request),
        parseRowId(request.params.id),
        getRequestOrigin(request),
      )
      return reply.code(204).send()
    },
  )
  app.post(
    '/organisations/me/join-requests/:id/accept',
    {
      config: fresh,
      schema: {
        tags,
        summary: 'Accept a join request by sending an invitation',
        params: byId,
        body: joinRequestAcceptanceSchema,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const actor = await options.actorOf(request)
      await acceptJoinRequest(options, actor, parseRowId(request.params.id), request.body, getRequestOrigin(request))
      return reply.code(204).send()
    },
  )
  app.post(
    '/organisations/me/join-requests/:id/refuse',
    { config, schema: { tags, summary: 'Refuse a join request', params: byId, response: { 204: z.undefined() } } },
    async (request, reply) => {
      await refuseJoinRequest(
        options,
        await options.actorOf(request),
        parseRowId(request.params.id),
        getRequestOrigin(request),
      )
      return reply.code(204).send()
    },
  )
  app.get(
    '/invitations/:token',
    {
      config: { public: true },
      schema: {
        tags,
        summary: 'Look up an invitation by its link; changes nothing',
        params: byToken,
        response: { 200: invitationPreviewSchema },
      },
    },
    async (request) => getInvitationByToken(options, request.params.token),
  )
  app.post(
    '/invitations/:token/accept',
    {
      config: { public: true },
      schema: {
        tags,
        summary: 'Accept an invitation: create the account and log in',
        params: byToken,
        body: invitationAcceptanceSchema,
        response: { 200: sessionTokensSchema },
      },
    },
    async (request, reply) => {
      const { userId, organisationId } = await joinByInvitation(
        options,
        request.params.token,
        request.body,
        getRequestOrigin(request),
      )
      const device = { userAgent: request.headers['user-agent'], address: request.ip }
      const session = await options.sessions.open({ userId, organisationId, isDemo: false, device })
      return sendSessionResponse(reply, session, options.secureCookies)
    },
  )
}
