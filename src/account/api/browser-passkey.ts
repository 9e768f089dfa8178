import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser'
import type { FactorAnswer } from '#contract/account/second-factor.ts'

/** The library is loaded when the first passkey is asked for. */

type Passkey = NonNullable<FactorAnswer['passkey']>
type Options = { readonly challenge: string }

/** The person closed the browser's window, or something newer asks. */
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

/** A passkey of this device, in the form that goes to the server. Throws an Error `known` when the account has one of it. */
export const makePasskey = (options: Options): Promise<Passkey | undefined> =>
  unlessStopped(startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON }))

/** Signs with a passkey. `suggested`: the browser offers it where the e-mail is typed, and waits until the person takes it. */
export const signWithPasskey = (options: Options, suggested = false): Promise<Passkey | undefined> =>
  unlessStopped(
    startAuthentication({
      optionsJSON: options as PublicKeyCredentialRequestOptionsJSON,
      useBrowserAutofill: suggested,
    }),
  )
