import { type LoginDomainPatch, loginDomainsSchema, type NewLoginDomain } from '#contract/account/organisation-login.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { type RequestOptions, sendApiRequest } from '#src/api/http/client.ts'
import { invalidateAfter } from '#src/api/http/invalidate-after.ts'

const PATH = 'organisations/me/login-domains/'

export const loginDomainsQuery = apiQueryOptions('organisations/me/login-domains/', {
  queryKey: ['organisations', 'login-domains'],
  schema: loginDomainsSchema,
  staleTime: 0,
})

const sendChange = (path: string, options: RequestOptions<undefined>) =>
  invalidateAfter(sendApiRequest(path, options), loginDomainsQuery.queryKey)

export const addLoginDomain = (json: NewLoginDomain) => sendChange(PATH, { method: 'post', json })
export const verifyLoginDomain = (id: number) => sendChange(`${PATH}${id}/verify/`, { method: 'post' })
export const patchLoginDomain = (id: number, json: LoginDomainPatch) =>
  sendChange(`${PATH}${id}/`, { method: 'patch', json })
export const removeLoginDomain = (id: number) => sendChange(`${PATH}${id}/`, { method: 'delete' })
export const unlinkMemberLogin = (user: number) =>
  sendChange(`organisations/me/login-identities/${user}/`, { method: 'delete' })
