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
import { queryClient } from '#src/api/http/query-client.ts'

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

async function withInvalidation<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } finally {
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: secondFactorQuery.queryKey }),
      queryClient.invalidateQueries({ queryKey: rememberedDevicesQuery.queryKey }),
    ])
  }
}

export async function submitIdentityProof(json: IdentityProof): Promise<void> {
  await sendApiRequest('users/me/proof/', { method: 'post', json })
}

/** Creates a secret for an authenticator app; it is active after the first code is confirmed. */
export const startTotpEnrolment = (): Promise<TotpEnrolment> =>
  sendApiRequest('users/me/totp/', { method: 'post', schema: totpEnrolmentSchema })

/**
 * Resolves to recovery codes if this is the account's first factor; the server returns them only once. Throws a
 * ProblemError with a message for the field `otp`.
 */
export const confirmTotp = (otp: string): Promise<string[] | null> =>
  withInvalidation(
    sendApiRequest('users/me/totp/confirm/', { method: 'post', json: { otp }, schema: recoveryCodesSchema }).then(
      ({ recovery_codes }) => recovery_codes,
    ),
  )

export const removeTotp = (): Promise<void> => withInvalidation(sendApiRequest('users/me/totp/', { method: 'delete' }))

export const regenerateRecoveryCodes = (): Promise<string[] | null> =>
  withInvalidation(
    sendApiRequest('users/me/recovery-codes/', { method: 'post', schema: recoveryCodesSchema }).then(
      ({ recovery_codes }) => recovery_codes,
    ),
  )

const optionsFor = (purpose: 'add' | 'factor') =>
  sendApiRequest('users/me/passkeys/options/', { method: 'post', json: { purpose }, schema: webauthnOptionsSchema })

/**
 * Creates and stores a passkey. Resolves to recovery codes when it is the first factor; undefined when the user
 * cancels.
 */
export async function addPasskey(name: string): Promise<string[] | null | undefined> {
  const { createPasskey } = await import('./browser-passkey.ts')
  const passkey = await createPasskey(await optionsFor('add'))
  if (passkey === undefined) return undefined
  return withInvalidation(
    sendApiRequest('users/me/passkeys/', { method: 'post', json: { name, passkey }, schema: recoveryCodesSchema }).then(
      ({ recovery_codes }) => recovery_codes,
    ),
  )
}

export const removePasskey = (id: number): Promise<void> =>
  withInvalidation(sendApiRequest(`users/me/passkeys/${id}/`, { method: 'delete' }))

export async function requestProofPasskeySignature(): Promise<SecondFactorInput['passkey']> {
  const { requestPasskeySignature: signWithPasskey } = await import('./browser-passkey.ts')
  return signWithPasskey(await optionsFor('factor'))
}

export const forgetRememberedDevice = (id: number): Promise<void> =>
  withInvalidation(sendApiRequest(`users/me/devices/${id}/`, { method: 'delete' }))
