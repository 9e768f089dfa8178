import {
  type EmailChangeRequest,
  emailChangeConfirmationResponseSchema,
  emailChangeLinkSchema,
  emailChangeSchema,
} from '#contract/account/email-change.ts'
import { apiQueryOptions, MAILED_LINK_QUERY_OPTIONS } from '#src/api/http/api-query-options.ts'
import { ANONYMOUS_REQUEST_OPTIONS, sendApiRequest } from '#src/api/http/client.ts'
import { queryClient } from '#src/api/http/query-client.ts'

const PATH = 'users/me/email-change'

export const emailChangeQuery = apiQueryOptions('users/me/email-change', {
  queryKey: ['users', 'email-change'],
  schema: emailChangeSchema,
  select: ({ change }) => change,
  staleTime: 10_000,
})

async function withInvalidation(work: Promise<undefined>): Promise<void> {
  try {
    await work
  } finally {
    await queryClient.invalidateQueries({ queryKey: emailChangeQuery.queryKey })
  }
}

/** Sends a confirmation email to both addresses. Throws a ProblemError with a message for the field `email`. */
export const requestEmailChange = (json: EmailChangeRequest): Promise<void> =>
  withInvalidation(sendApiRequest(`${PATH}/`, { method: 'post', json }))

export const cancelEmailChange = (): Promise<void> => withInvalidation(sendApiRequest(`${PATH}/`, { method: 'delete' }))

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
  const path = `${linkPath(token)}confirm/`
  return (
    await sendApiRequest(path, {
      ...ANONYMOUS_REQUEST_OPTIONS,
      method: 'post',
      schema: emailChangeConfirmationResponseSchema,
    })
  ).is_done
}

export const cancelEmailChangeByLink = (token: string): Promise<undefined> =>
  sendApiRequest(`${linkPath(token)}stop/`, { ...ANONYMOUS_REQUEST_OPTIONS, method: 'post' })
