import { type LoginDomainPatch, loginDomainsSchema, type NewLoginDomain } from '#contract/account/organisation-login.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { queryClient } from '#src/api/http/query-client.ts'

const PATH = 'organisations/me/login-domains/'

export const loginDomainsQuery = apiQueryOptions('organisations/me/login-domains/', {
  queryKey: ['organisations', 'login-domains'],
  schema: loginDomainsSchema,
  staleTime: 0,
})

async function sendChange(
  path: string,
  options: { method: 'post' | 'patch' | 'delete'; json?: object },
): Promise<void> {
  try {
    await sendApiRequest(path, options)
  } finally {
    await queryClient.invalidateQueries({ queryKey: loginDomainsQuery.queryKey })
  }
}

export const addLoginDomain = (json: NewLoginDomain) => sendChange(PATH, { method: 'post', json })
export const verifyLoginDomain = (id: number) => sendChange(`${PATH}${id}/verify/`, { method: 'post' })
export const patchLoginDomain = (id: number, json: LoginDomainPatch) =>
  sendChange(`${PATH}${id}/`, { method: 'patch', json })
export const removeLoginDomain = (id: number) => sendChange(`${PATH}${id}/`, { method: 'delete' })
export const unlinkMemberLogin = (user: number) =>
  sendChange(`organisations/me/login-identities/${user}/`, { method: 'delete' })
