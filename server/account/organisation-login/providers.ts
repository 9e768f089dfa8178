import * as openid from 'openid-client'
import { LOGIN_PROVIDERS, type LoginProvider } from '#contract/account/organisation-login.ts'
import type { GuardedFetch } from '#server/platform/outgoing/guarded-fetch.ts'
import { type Claims, tenantOf } from './person-of.ts'

export type OrganisationLoginSettings = {
  readonly google?: { readonly clientId: string; readonly clientSecret: string; readonly issuer: string } | undefined
  /** `authority`: URL before the tenant. */
  readonly microsoft?:
    | { readonly clientId: string; readonly clientSecret: string; readonly authority: string }
    | undefined
}

const CLOCK_TOLERANCE_SECONDS = 60
/** Total time of one call, including slow responses. */
const TIMEOUT_SECONDS = 8
const KEPT_MS = 60 * 60_000

/** `away`: the provider is unreachable; `refused`: it denied the login; `untrue`: its response failed validation. */
export type ProviderFault = 'away' | 'refused' | 'untrue'
export class ProviderError extends Error {
  override readonly name = 'ProviderError'
  readonly fault: ProviderFault
  /** Error code for audit and log; never text from the provider. */
  readonly reason: string

  constructor(fault: ProviderFault, reason: string, cause?: unknown) {
    super(`${fault}: ${reason}`, { cause })
    this.fault = fault
    this.reason = reason
  }
}

/** Secrets of an authorization request; stored only in the browser. */
export type RequestSecrets = { readonly state: string; readonly nonce: string; readonly verifier: string }

export type Providers = {
  readonly offered: readonly LoginProvider[]
  /**
   * Returns the issuer for a domain. Google has one issuer; Microsoft has one per tenant and resolves the domain.
   * Undefined for an unknown domain.
   */
  issuerOf(provider: LoginProvider, domain: string): Promise<string | undefined>
  /** Returns the authorization URL. `hint`: the typed address. */
  addressOf(
    at: { readonly provider: LoginProvider; readonly issuer: string },
    asked: RequestSecrets & { readonly redirectUri: string; readonly hint: string; readonly domain: string },
  ): Promise<string>
  /** Exchanges the code for ID token claims, verifying signature, issuer, audience, times and nonce. */
  claimsFor(
    at: { readonly provider: LoginProvider; readonly issuer: string },
    got: RequestSecrets & { readonly redirectUri: string; readonly code: string; readonly iss: string | undefined },
  ): Promise<Claims>
}

/** The only OpenID Connect client; all calls use the guarded `fetch`. Every method throws only ProviderError. */
export function createProviders(settings: OrganisationLoginSettings, fetch: GuardedFetch): Providers {
  const kept = new Map<string, { readonly until: number; readonly config: Promise<openid.Configuration> }>()
  const customFetch: openid.CustomFetch = (url, { method, headers, body, signal }) =>
    fetch(url, { method, headers, body, signal })

  async function discover(provider: LoginProvider, issuer: string): Promise<openid.Configuration> {
    const registered = settings[provider]
    if (!registered) throw new ProviderError('away', 'not set up')
    const address = new URL(issuer)
    const config = await openid.discovery(
      address,
      registered.clientId,
      { client_secret: registered.clientSecret, [openid.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
      undefined,
      {
        [openid.customFetch]: customFetch,
        timeout: TIMEOUT_SECONDS,
        execute: [
          // Verify the ID token signature even though it arrives over TLS.
          openid.enableNonRepudiationChecks,
          // The guard permits http only to this machine, and only in development.
          ...(address.protocol === 'http:' ? [openid.allowInsecureRequests] : []),
        ],
      },
    )
    if (config.serverMetadata().issuer !== issuer) throw new ProviderError('untrue', 'issuer')
    return config
  }

  /** Cached for an hour; failures are not cached. */
  function configOf(provider: LoginProvider, issuer: string): Promise<openid.Configuration> {
    const key = `${provider} ${issuer}`
    const known = kept.get(key)
    if (known && known.until > performance.now()) return known.config
    const config = discover(provider, issuer)
    kept.set(key, { until: performance.now() + KEPT_MS, config })
    config.catch(() => kept.delete(key))
    return config
  }

  return {
    offered: LOGIN_PROVIDERS.filter((provider) => settings[provider] !== undefined),
    async issuerOf(provider, domain) {
      if (provider === 'google') return settings.google?.issuer
      const authority = settings.microsoft?.authority
      if (authority === undefined) return undefined
      const answer = await fetch(`${authority}/${domain}/v2.0/.well-known/openid-configuration`).catch(toFault)
      if (answer.status === 400 || answer.status === 404) return undefined
      if (answer.status !== 200) throw new ProviderError('away', `status ${answer.status}`)
      const { issuer } = (await answer.json().catch(toFault)) as { issuer?: unknown }
      if (typeof issuer !== 'string' || tenantOf(issuer, authority) === undefined)
        throw new ProviderError('untrue', 'issuer')
      return issuer
    },
    async addressOf({ provider, issuer }, { state, nonce, verifier, redirectUri, hint, domain }) {
      const config = await configOf(provider, issuer).catch(toFault)
      const address = openid.buildAuthorizationUrl(config, {
        ...{ redirect_uri: redirectUri, scope: 'openid email profile', state, nonce, login_hint: hint },
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        // Restricts the offered accounts to this domain; the returned claims are verified regardless.
        ...(provider === 'google' ? { hd: domain } : { domain_hint: domain }),
      })
      return address.href
    },
    async claimsFor({ provider, issuer }, { state, nonce, verifier, redirectUri, code, iss }) {
      const back = new URL(redirectUri)
      back.search = new URLSearchParams({ code, state, ...(iss !== undefined && { iss }) }).toString()
      try {
        const config = await configOf(provider, issuer)
        const tokens = await openid.authorizationCodeGrant(config, back, {
          ...{ pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true },
        })
        const claims = tokens.claims()
        if (!claims) throw new ProviderError('untrue', 'no ID token')
        return claims
      } catch (error) {
        return toFault(error)
      }
    },
  }
}

const UNTRUE = /JWT|JSON_ATTRIBUTE|INVALID_RESPONSE|KEY_SELECTION|MISSING|UNSUPPORTED/

function toFault(error: unknown): never {
  if (error instanceof ProviderError) throw error
  if (error instanceof openid.ResponseBodyError) {
    // Our registration or the provider's outage is not the user's fault.
    const isOurs = error.status >= 500 || ['invalid_client', 'unauthorized_client'].includes(error.error)
    throw new ProviderError(isOurs ? 'away' : 'refused', plainCode(error.error), error)
  }
  if (error instanceof openid.AuthorizationResponseError)
    throw new ProviderError('refused', plainCode(error.error), error)
  if (error instanceof openid.ClientError) {
    const code = error.code ?? 'unknown'
    throw new ProviderError(UNTRUE.test(code) ? 'untrue' : 'away', code, error)
  }
  throw new ProviderError('away', error instanceof Error ? error.name : 'unknown', error)
}

const plainCode = (text: string) => (/^[a-z_]{1,60}$/.test(text) ? text : 'unknown')
