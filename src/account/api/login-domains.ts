import { queryOptions } from '@tanstack/react-query'
import { type LoginDomainPatch, loginDomainsSchema, type NewLoginDomain } from '#contract/account/organisation-login.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { organisationKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'

const PATH = 'organisations/me/login-domains/'

export const loginDomainsQuery = queryOptions({
  queryKey: organisationKeys.loginDomains,
  queryFn: ({ signal }) => sendApiRequest(PATH, { schema: loginDomainsSchema, signal }),
})

async function sendChange(
  path: string,
  options: { method: 'post' | 'patch' | 'delete'; json?: object },
): Promise<void> {
  try {
    await sendApiRequest(path, options)
  } finally {
    await queryClient.invalidateQueries({ queryKey: organisationKeys.loginDomains })
  }
}

export const addLoginDomain = (json: NewLoginDomain) => sendChange(PATH, { method: 'post', json })
export const verifyLoginDomain = (id: number) => sendChange(`${PATH}${id}/verify/`, { method: 'post' })
export const patchLoginDomain = (id: number, json: LoginDomainPatch) =>
  sendChange(`${PATH}${id}/`, { method: 'patch', json })
export const removeLoginDomain = (id: number) => sendChange(`${PATH}${id}/`, { method: 'delete' })
/** Unlinks the identity provider's account from the member, who can then log in with another one. */
export const unlinkMemberLogin = (user: number) =>
  sendChange(`organisations/me/login-identities/${user}/`, { method: 'delete' })
