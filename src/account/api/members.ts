import {
  INVITATION_PROBLEM_CODES,
  type InvitationAcceptance,
  type InvitationProblem,
  invitationPreviewSchema,
} from '#contract/account/invitation.ts'
import {
  type InvitationRequest,
  type JoinRequestAcceptance,
  type MemberPatch,
  teamSchema,
} from '#contract/account/member.ts'
import { sessionTokensSchema } from '#contract/account/session.ts'
import { apiQueryOptions, MAILED_LINK_QUERY_OPTIONS } from '#src/api/http/api-query-options.ts'
import { postAnonymously, type RequestOptions, sendApiRequest } from '#src/api/http/client.ts'
import { invalidateAfter } from '#src/api/http/invalidate-after.ts'
import { ProblemError } from '#src/lib/problem-error.ts'
import { endSession } from '#src/lib/session-store.ts'
import { startSessionOrThrow } from './start-session-or-throw.ts'

export const teamQuery = apiQueryOptions('organisations/me/members', {
  queryKey: ['organisations', 'team'],
  schema: teamSchema,
  staleTime: 10_000,
})

const changeTeam = (path: string, options: RequestOptions<undefined>) =>
  invalidateAfter(sendApiRequest(`organisations/me/${path}`, options), teamQuery.queryKey)

export const inviteMember = (json: InvitationRequest) => changeTeam('invitations/', { method: 'post', json })
export const resendInvitation = (id: number) => changeTeam(`invitations/${id}/resend/`, { method: 'post' })
export const revokeInvitation = (id: number) => changeTeam(`invitations/${id}/`, { method: 'delete' })
export const updateTeamMember = (id: number, json: MemberPatch) =>
  changeTeam(`members/${id}/`, { method: 'patch', json })

/** Sets whether members need a second factor. The requirement applies from each member's next login. */
export const setSecondFactorRequired = (is_required: boolean) =>
  changeTeam('second-factor/', { method: 'put', json: { is_required } })

export const acceptJoinRequest = (id: number, json: JoinRequestAcceptance) =>
  changeTeam(`join-requests/${id}/accept/`, { method: 'post', json })
export const rejectJoinRequest = (id: number) => changeTeam(`join-requests/${id}/refuse/`, { method: 'post' })

export async function leaveOrganisation(): Promise<void> {
  await sendApiRequest('organisations/me/leave/', { method: 'post', json: { confirm: true } })
  endSession('logout')
}

export const invitationQuery = (token: string) =>
  apiQueryOptions('invitations/:token/', {
    queryKey: ['invitation', token],
    params: { token },
    schema: invitationPreviewSchema,
    ...MAILED_LINK_QUERY_OPTIONS,
  })

export async function acceptInvitation(token: string, form: InvitationAcceptance): Promise<void> {
  const path = `invitations/${encodeURIComponent(token)}/accept/`
  startSessionOrThrow(await postAnonymously(path, { json: form, schema: sessionTokensSchema }))
}

export function getInvitationProblem(error: unknown): InvitationProblem | undefined {
  if (!(error instanceof ProblemError)) return undefined
  return INVITATION_PROBLEM_CODES.find((code) => code === error.code)
}
