import type { LoginProvider } from '#contract/account/organisation-login.ts'
import { emailKeyOf } from '#server/platform/text/email.ts'

/** Claims of a checked ID token; nothing is believed of their types. */
export type Claims = Readonly<Record<string, unknown>>

export type ProviderPerson = {
  /** Who it is at the provider, for ever: never the address, which is given to somebody else one day. */
  readonly subject: string
  readonly email: string
  readonly emailKey: string
  readonly domain: string
  /** The Workspace that the account is of, by its domain; with Microsoft the tenant in the issuer says it. */
  readonly hosted: string | undefined
  readonly firstName: string
  readonly lastName: string
}
/** Why the claims name nobody whom we may let in. */
export type ClaimsProblem = 'email_missing' | 'email_unverified' | 'no_organisation_account' | 'other_tenant' | 'guest'

const textIn = (claims: Claims, name: string): string => {
  const value = claims[name]
  return typeof value === 'string' ? value.trim() : ''
}
const isTrue = (value: unknown) => value === true || value === 'true' || value === 1 || value === '1'

/**
 * Who came, by the rules of each provider.
 *
 * Google: the address is verified, and the account is of a Workspace (`hd`): anybody can open a private Google account with an address of somebody's company and keep it
 * after they have left.
 *
 * Microsoft: the token is of the tenant that was pinned, and of a member of it. `email` is what an administrator of any tenant may write into it ("nOAuth"), so it counts
 * only with `xms_edov`, by which Microsoft says that the domain's owner is verified; else the sign-in name counts, whose domain a tenant has to verify.
 */
export function personOf(provider: LoginProvider, issuer: string, claims: Claims): ProviderPerson | ClaimsProblem {
  return provider === 'google' ? googlePerson(claims) : microsoftPerson(issuer, claims)
}

function googlePerson(claims: Claims): ProviderPerson | ClaimsProblem {
  const email = textIn(claims, 'email')
  if (email === '') return 'email_missing'
  if (!isTrue(claims.email_verified)) return 'email_unverified'
  const hosted = textIn(claims, 'hd').toLowerCase()
  const person = build(claims, textIn(claims, 'sub'), email)
  if (person && hosted === '') return 'no_organisation_account'
  return person ? { ...person, hosted } : 'email_missing'
}

function microsoftPerson(issuer: string, claims: Claims): ProviderPerson | ClaimsProblem {
  if (textIn(claims, 'tid') !== tenantOf(issuer)) return 'other_tenant'
  // 1: a guest, whose own tenant says what the address is.
  if (String(claims.acct ?? 0) === '1' || textIn(claims, 'preferred_username').includes('#EXT#')) return 'guest'
  const email = isTrue(claims.xms_edov) ? textIn(claims, 'email') : textIn(claims, 'preferred_username')
  // `sub` is another one for each application; `oid` is the person of the tenant.
  return build(claims, textIn(claims, 'oid'), email) ?? 'email_missing'
}

function build(claims: Claims, subject: string, email: string): ProviderPerson | undefined {
  const at = email.lastIndexOf('@')
  if (subject === '' || subject.length > 255 || email.length > 200 || at < 1 || /\s/.test(email)) return undefined
  const emailKey = emailKeyOf(email)
  return {
    ...{ subject, email, emailKey, domain: domainOf(emailKey), hosted: undefined },
    ...{ firstName: textIn(claims, 'given_name').slice(0, 200), lastName: textIn(claims, 'family_name').slice(0, 200) },
  }
}

/** What stands behind the last `@`, small. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase()

/** The tenant in an issuer of Microsoft's; undefined when it is none below this address. */
export function tenantOf(issuer: string, authority?: string): string | undefined {
  const [tenant, version, ...more] = issuer.split('/').slice(-2)
  if (tenant === undefined || version !== 'v2.0' || more.length > 0) return undefined
  if (!/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(tenant)) return undefined
  return authority === undefined || issuer === `${authority}/${tenant}/v2.0` ? tenant : undefined
}
