import { type RelyingParty, relyingPartyFromBaseUrl } from './passkeys.ts'
import { createTotpSecrets, type TotpSecrets } from './totp.ts'

/** Evaluated per request, because the base URL may be set after the start. */
export type SecondFactorSource = () => { readonly totp: TotpSecrets; readonly party: RelyingParty | undefined }

export function createSecondFactorSource(
  secrets: readonly [string, ...string[]],
  baseUrl: () => string,
): SecondFactorSource {
  const totp = createTotpSecrets(secrets)
  return () => ({ totp, party: relyingPartyFromBaseUrl(baseUrl()) })
}
