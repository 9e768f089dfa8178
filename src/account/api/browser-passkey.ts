import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser'
import type { FactorAnswer } from '#contract/account/second-factor.ts'

/** The library loads with the first passkey request. */

type Passkey = NonNullable<FactorAnswer['passkey']>
type Options = { readonly challenge: string }

/** The user closed the browser's dialog, or a newer request replaced this one. */
const STOPPED = ['NotAllowedError', 'AbortError']

async function unlessStopped(work: Promise<object>): Promise<Passkey | undefined> {
  try {
    return (await work) as Passkey
  } catch (error) {
    const { name } = error as Error
    if (STOPPED.includes(name)) return undefined
    if (error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED')
      throw new Error('known', { cause: error })
    throw error
  }
}

/** Throws an Error `known` when the account already has a passkey of this device. */
export const makePasskey = (options: Options): Promise<Passkey | undefined> =>
  unlessStopped(startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON }))

/** `suggested`: the browser offers the passkey in the e-mail field and waits for the user. */
export const signWithPasskey = (options: Options, suggested = false): Promise<Passkey | undefined> =>
  unlessStopped(
    startAuthentication({
      optionsJSON: options as PublicKeyCredentialRequestOptionsJSON,
      useBrowserAutofill: suggested,
    }),
  )
