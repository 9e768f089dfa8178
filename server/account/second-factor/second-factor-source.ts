import { type PasskeyRelyingParty, parsePasskeyRelyingParty } from './passkeys.ts'
import { createTotpSecrets, type TotpSecrets } from './totp.ts'

/** Returns the dependencies. Evaluated per request, because the base URL may be set after the server starts. */
export type SecondFactorSource = () => { readonly totp: TotpSecrets; readonly party: PasskeyRelyingParty | undefined }

export function createSecondFactorSource(
  secrets: readonly [string, ...string[]],
  baseUrl: () => string,
): SecondFactorSource {
  const totp = createTotpSecrets(secrets)
  return () => ({ totp, party: parsePasskeyRelyingParty(baseUrl()) })
}
