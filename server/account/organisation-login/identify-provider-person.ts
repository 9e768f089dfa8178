import type { LoginProvider } from '#contract/account/organisation-login.ts'
import { toEmailKey } from '#server/platform/text/email.ts'

export type IdTokenClaims = Readonly<Record<string, unknown>>

export type LoginProviderPerson = {
  /** Permanent id at the provider. Never the email address, which may be reassigned. */
  readonly subject: string
  readonly email: string
  readonly emailKey: string
  readonly domain: string
  /** Domain of the Google Workspace. Absent for Microsoft, where the tenant in the issuer takes its place. */
  readonly hosted: string | undefined
  readonly firstName: string
  readonly lastName: string
}
export type IdTokenClaimsProblem =
  | 'email_missing'
  | 'email_unverified'
  | 'no_organisation_account'
  | 'other_tenant'
  | 'guest'

const textIn = (claims: IdTokenClaims, name: string): string => {
  const value = claims[name]
  return typeof value === 'string' ? value.trim() : ''
}
const isTrue = (value: unknown) => value === true || value === 'true' || value === 1 || value === '1'

/**
 * Identifies the person by the rules of each provider.
 * Google: the address is verified and the account belongs to a Workspace (`hd`). Without `hd` it could be a private
 * Google account opened with a company address, which outlives employment.
 * Microsoft: the token is from the pinned tenant and for a member. Any tenant administrator can set `email` ("nOAuth"),
 * so it counts only with `xms_edov`, Microsoft's statement that the domain owner is verified; otherwise the sign-in
 * name counts, whose domain the tenant had to verify.
 */
export function identifyLoginProviderPerson(
  provider: LoginProvider,
  issuer: string,
  claims: IdTokenClaims,
): LoginProviderPerson | IdTokenClaimsProblem {
  return provider === 'google' ? googlePerson(claims) : microsoftPerson(issuer, claims)
}

function googlePerson(claims: IdTokenClaims): LoginProviderPerson | IdTokenClaimsProblem {
  const email = textIn(claims, 'email')
  if (email === '') return 'email_missing'
  if (!isTrue(claims.email_verified)) return 'email_unverified'
  const hosted = textIn(claims, 'hd').toLowerCase()
  const person = buildPerson(claims, textIn(claims, 'sub'), email)
  if (person && hosted === '') return 'no_organisation_account'
  return person ? { ...person, hosted } : 'email_missing'
}

function microsoftPerson(issuer: string, claims: IdTokenClaims): LoginProviderPerson | IdTokenClaimsProblem {
  if (textIn(claims, 'tid') !== parseIssuerTenant(issuer)) return 'other_tenant'
  // An `acct` of 1 means a guest, whose address is controlled by the guest's home tenant.
  if (String(claims.acct ?? 0) === '1' || textIn(claims, 'preferred_username').includes('#EXT#')) return 'guest'
  const email = isTrue(claims.xms_edov) ? textIn(claims, 'email') : textIn(claims, 'preferred_username')
  // `sub` differs per application; `oid` identifies the person in the tenant.
  return buildPerson(claims, textIn(claims, 'oid'), email) ?? 'email_missing'
}

function buildPerson(claims: IdTokenClaims, subject: string, email: string): LoginProviderPerson | undefined {
  const at = email.lastIndexOf('@')
  if (subject === '' || subject.length > 255 || email.length > 200 || at < 1 || /\s/.test(email)) return undefined
  const emailKey = toEmailKey(email)
  return {
    ...{ subject, email, emailKey, domain: getEmailDomain(emailKey), hosted: undefined },
    ...{ firstName: textIn(claims, 'given_name').slice(0, 200), lastName: textIn(claims, 'family_name').slice(0, 200) },
  }
}

export const getEmailDomain = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase()

export function parseIssuerTenant(issuer: string, authority?: string): string | undefined {
  const [tenant, version, ...extra] = issuer.split('/').slice(-2)
  if (tenant === undefined || version !== 'v2.0' || extra.length > 0) return undefined
  if (!/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(tenant)) return undefined
  return authority === undefined || issuer === `${authority}/${tenant}/v2.0` ? tenant : undefined
}
