import { queryOptions } from '@tanstack/react-query'
import {
  type AcceptInvitation,
  INVITATION_PROBLEM_CODES,
  type InvitationProblem,
  openedInvitationSchema,
} from '#contract/account/invitation.ts'
import { type AcceptJoinRequest, type Invite, type MemberChange, teamSchema } from '#contract/account/member.ts'
import { tokensSchema } from '#contract/account/session.ts'
import { request } from '#src/api/http/client.ts'
import { invitationKeys, organisationKeys } from '#src/api/http/keys.ts'
import { InvalidResponseError, ProblemError } from '#src/api/http/problem-error.ts'
import { ASKED_ONCE, queryClient } from '#src/api/http/query-client.ts'
import { endSession, sessionFrom, startSession } from '#src/lib/session-store.ts'

/** What the loader of the page has asked is not asked again when the tab is drawn. */
const FRESH_MS = 10_000

/** Members of the organisation and invitations on their way; for super users. */
export const teamQuery = queryOptions({
  queryKey: organisationKeys.team,
  queryFn: ({ signal }) => request('organisations/me/members', { schema: teamSchema, signal }),
  staleTime: FRESH_MS,
})

/** Sends a change, whose outcome others share: the list is asked for again, done or not. */
async function changeTeam(
  path: string,
  options: { method: 'post' | 'patch' | 'put' | 'delete'; json?: object },
): Promise<void> {
  try {
    await request(`organisations/me/${path}`, options)
  } finally {
    await queryClient.invalidateQueries({ queryKey: organisationKeys.team })
  }
}

export const inviteMember = (json: Invite) => changeTeam('invitations/', { method: 'post', json })
export const resendInvitation = (id: number) => changeTeam(`invitations/${id}/resend/`, { method: 'post' })
export const revokeInvitation = (id: number) => changeTeam(`invitations/${id}/`, { method: 'delete' })
export const changeMember = (id: number, json: MemberChange) => changeTeam(`members/${id}/`, { method: 'patch', json })

/** Whether everybody needs a second factor, from their next login on. */
export const setSecondFactorRule = (is_required: boolean) =>
  changeTeam('second-factor/', { method: 'put', json: { is_required } })

export const acceptJoinRequest = (id: number, json: AcceptJoinRequest) =>
  changeTeam(`join-requests/${id}/accept/`, { method: 'post', json })
export const refuseJoinRequest = (id: number) => changeTeam(`join-requests/${id}/refuse/`, { method: 'post' })

/** Closes the own account; every session of it is over. */
export async function leaveOrganisation(): Promise<void> {
  await request('organisations/me/leave/', { method: 'post', json: { confirm: true } })
  endSession('logout')
}

const ALONE = { withoutBearer: true, keepsSession: true } as const
const linkPath = (token: string) => `invitations/${encodeURIComponent(token)}/`

/** What the link of an invitation leads into. */
export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: invitationKeys.of(token),
    queryFn: ({ signal }) => request(linkPath(token), { ...ALONE, schema: openedInvitationSchema, signal }),
    ...ASKED_ONCE,
    // What changes meanwhile is said when the form is sent.
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Makes the account and signs in. */
export async function acceptInvitation(token: string, form: AcceptInvitation): Promise<void> {
  const tokens = await request(`${linkPath(token)}accept/`, {
    ...ALONE,
    method: 'post',
    json: form,
    schema: tokensSchema,
  })
  const session = sessionFrom(tokens, false)
  if (!session) throw new InvalidResponseError()
  startSession(session)
}

/** Why the link does not work, when it is the link that the server refused. */
export function invitationProblemOf(error: unknown): InvitationProblem | undefined {
  if (!(error instanceof ProblemError)) return undefined
  return INVITATION_PROBLEM_CODES.find((code) => code === error.code)
}
