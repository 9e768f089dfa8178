import { type RelyingParty, relyingPartyOf } from './passkeys.ts'
import { createTotpSecrets, type TotpSecrets } from './totp.ts'

/** What codes and passkeys are made and checked with, asked for at each request: the address may be known only after the start. */
export type FactorSource = () => { readonly totp: TotpSecrets; readonly party: RelyingParty | undefined }

/** `secrets`: the first seals, all open. `baseUrl`: the address that people use. */
export function createFactorSource(secrets: readonly [string, ...string[]], baseUrl: () => string): FactorSource {
  const totp = createTotpSecrets(secrets)
  return () => ({ totp, party: relyingPartyOf(baseUrl()) })
}
