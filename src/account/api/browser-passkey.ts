import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser'
import type { SecondFactorInput } from '#contract/account/second-factor.ts'

/** This module bundles the WebAuthn library, so import it only when the first passkey request is made. */

type Passkey = NonNullable<SecondFactorInput['passkey']>
type Options = { readonly challenge: string }

/** Names of the errors thrown when the user closes the browser's dialog or a newer request replaces this one. */
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

/** Creates a passkey. Throws an Error with the message `known` if this device already has one for the account. */
export const createPasskey = (options: Options): Promise<Passkey | undefined> =>
  undefinedIfCancelled(startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON }))

/** Requests a passkey signature. With `useAutofill` the browser offers the passkey in the e-mail field. */
export const requestPasskeySignature = (options: Options, useAutofill = false): Promise<Passkey | undefined> =>
  undefinedIfCancelled(
    startAuthentication({
      optionsJSON: options as PublicKeyCredentialRequestOptionsJSON,
      useBrowserAutofill: useAutofill,
    }),
  )
