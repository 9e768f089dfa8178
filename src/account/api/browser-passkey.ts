import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser'
import type { SecondFactorInput } from '#contract/account/second-factor.ts'

/** This module bundles the WebAuthn library, so load it only with the first passkey request. */

type Passkey = NonNullable<SecondFactorInput['passkey']>
type Options = { readonly challenge: string }

/** Error names after the user closed the browser's dialog or a newer request replaced this one. */
const CANCELLED_ERRORS = ['NotAllowedError', 'AbortError']

async function undefinedIfCancelled(work: Promise<object>): Promise<Passkey | undefined> {
  try {
    return (await work) as Passkey
  } catch (error) {
    const { name } = error as Error
    if (CANCELLED_ERRORS.includes(name)) return undefined
    if (error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED')
      throw new Error('known', { cause: error })
    throw error
  }
}

/** Throws an Error `known` when this device already has a passkey for the account. */
export const createPasskey = (options: Options): Promise<Passkey | undefined> =>
  undefinedIfCancelled(startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON }))

/**
 * Requests a passkey signature. With `useAutofill` the browser offers the passkey in the e-mail field and waits for the
 * user.
 */
export const requestPasskeySignature = (options: Options, useAutofill = false): Promise<Passkey | undefined> =>
  undefinedIfCancelled(
    startAuthentication({
      optionsJSON: options as PublicKeyCredentialRequestOptionsJSON,
      useBrowserAutofill: useAutofill,
    }),
  )
