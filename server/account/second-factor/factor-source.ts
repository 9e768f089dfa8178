import { type RelyingParty, relyingPartyOf } from './passkeys.ts'
import { createTotpSecrets, type TotpSecrets } from './totp.ts'

/** Evaluated per request, because the base URL may be set after the start. */
export type FactorSource = () => { readonly totp: TotpSecrets; readonly party: RelyingParty | undefined }

export function createFactorSource(secrets: readonly [string, ...string[]], baseUrl: () => string): FactorSource {
  const totp = createTotpSecrets(secrets)
  return () => ({ totp, party: relyingPartyOf(baseUrl()) })
}
