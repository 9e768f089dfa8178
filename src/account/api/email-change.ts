import {
  type EmailChangeRequest,
  emailChangeConfirmationResponseSchema,
  emailChangeLinkSchema,
  emailChangeSchema,
} from '#contract/account/email-change.ts'
import { apiQueryOptions, MAILED_LINK_QUERY_OPTIONS } from '#src/api/http/api-query-options.ts'
import { postAnonymously, sendApiRequest } from '#src/api/http/client.ts'
import { invalidateAfter } from '#src/api/http/invalidate-after.ts'

const PATH = 'users/me/email-change'

export const emailChangeQuery = apiQueryOptions('users/me/email-change', {
  queryKey: ['users', 'email-change'],
  schema: emailChangeSchema,
  select: ({ change }) => change,
  staleTime: 10_000,
})

/** Sends a confirmation email to both addresses. Throws a ProblemError with a message for the field `email`. */
export const requestEmailChange = (json: EmailChangeRequest): Promise<undefined> =>
  invalidateAfter(sendApiRequest(`${PATH}/`, { method: 'post', json }), emailChangeQuery.queryKey)

export const cancelEmailChange = (): Promise<undefined> =>
  invalidateAfter(sendApiRequest(`${PATH}/`, { method: 'delete' }), emailChangeQuery.queryKey)

const linkPath = (token: string) => `email-changes/${encodeURIComponent(token)}/`

export const emailChangeLinkQuery = (token: string) =>
  apiQueryOptions('email-changes/:token/', {
    queryKey: ['email-change', token],
    params: { token },
    schema: emailChangeLinkSchema,
    ...MAILED_LINK_QUERY_OPTIONS,
  })

/** Confirms the address that received the link. Resolves to true if this completes the change. */
export async function confirmEmailChange(token: string): Promise<boolean> {
  const schema = emailChangeConfirmationResponseSchema
  return (await postAnonymously(`${linkPath(token)}confirm/`, { schema })).is_done
}

export const cancelEmailChangeByLink = (token: string): Promise<undefined> => postAnonymously(`${linkPath(token)}stop/`)
