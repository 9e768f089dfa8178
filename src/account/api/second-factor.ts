import {
  type IdentityProof,
  recoveryCodesSchema,
  rememberedDevicesSchema,
  type SecondFactorInput,
  secondFactorStateSchema,
  type TotpEnrolment,
  totpEnrolmentSchema,
  webauthnOptionsSchema,
} from '#contract/account/second-factor.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { invalidateAfter } from '#src/api/http/invalidate-after.ts'

const STALE_TIME_MS = 10_000

export const secondFactorQuery = apiQueryOptions('users/me/second-factor', {
  queryKey: ['users', 'second-factor'],
  schema: secondFactorStateSchema,
  staleTime: STALE_TIME_MS,
})

export const rememberedDevicesQuery = apiQueryOptions('users/me/devices', {
  queryKey: ['users', 'devices'],
  schema: rememberedDevicesSchema,
  select: ({ devices }) => devices,
  staleTime: STALE_TIME_MS,
})

const withInvalidation = <Data>(request: Promise<Data>) =>
  invalidateAfter(request, secondFactorQuery.queryKey, rememberedDevicesQuery.queryKey)

/** Sends a change that may return recovery codes, which the server does only once. */
const postForRecoveryCodes = async (path: string, json?: object): Promise<string[] | null> =>
  (await withInvalidation(sendApiRequest(path, { method: 'post', json, schema: recoveryCodesSchema }))).recovery_codes

export const submitIdentityProof = (json: IdentityProof): Promise<undefined> =>
  sendApiRequest('users/me/proof/', { method: 'post', json })

/** Creates a secret for an authenticator app; it is active after the first code is confirmed. */
export const startTotpEnrolment = (): Promise<TotpEnrolment> =>
  sendApiRequest('users/me/totp/', { method: 'post', schema: totpEnrolmentSchema })

/**
 * Resolves to recovery codes if this is the account's first factor; the server returns them only once. Throws a
 * ProblemError with a message for the field `otp`.
 */
export const confirmTotp = (otp: string) => postForRecoveryCodes('users/me/totp/confirm/', { otp })

export const removeTotp = () => withInvalidation(sendApiRequest('users/me/totp/', { method: 'delete' }))

export const regenerateRecoveryCodes = () => postForRecoveryCodes('users/me/recovery-codes/')

const optionsFor = (purpose: 'add' | 'factor') =>
  sendApiRequest('users/me/passkeys/options/', { method: 'post', json: { purpose }, schema: webauthnOptionsSchema })

/** Resolves to recovery codes when it is the first factor; undefined when the user cancels. */
export async function addPasskey(name: string): Promise<string[] | null | undefined> {
  const { createPasskey } = await import('./browser-passkey.ts')
  const passkey = await createPasskey(await optionsFor('add'))
  return passkey && postForRecoveryCodes('users/me/passkeys/', { name, passkey })
}

export const removePasskey = (id: number) =>
  withInvalidation(sendApiRequest(`users/me/passkeys/${id}/`, { method: 'delete' }))

export async function requestProofPasskeySignature(): Promise<SecondFactorInput['passkey']> {
  const { requestPasskeySignature } = await import('./browser-passkey.ts')
  return requestPasskeySignature(await optionsFor('factor'))
}

export const forgetRememberedDevice = (id: number) =>
  withInvalidation(sendApiRequest(`users/me/devices/${id}/`, { method: 'delete' }))
